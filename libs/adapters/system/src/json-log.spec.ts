import { jsonLog, type JsonLogOptions } from './json-log';

function written(options: JsonLogOptions, write: (log: ReturnType<typeof jsonLog>) => void) {
  const lines: string[] = [];
  write(jsonLog({ ...options, destination: { write: (line) => void lines.push(line) } }));
  return lines;
}

const SECRETS = [
  'svc_test_4fXzz09AbC',
  'svc_live_0a1B2c3D4e',
  'svc_admin_Qw3rTy',
  'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD/w==',
];

describe('the log', () => {
  it('writes one JSON object per line', () => {
    const [line = ''] = written({}, (log) => log.info({ port: 8080 }, 'listening'));
    expect(JSON.parse(line)).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      port: 8080,
      msg: 'listening',
    });
    expect(line.endsWith('\n')).toBe(true);
  });

  it.each(SECRETS)('never shows %s, wherever it stands', (secret) => {
    const text = written({}, (log) => {
      log.info({ deep: { er: [`key is ${secret}.`] } }, `got ${secret}`);
      log.error({ error: new Error(`refused ${secret}`) }, 'failed');
      log.warn({ headers: { authorization: `Bearer ${secret}` }, [secret]: 1 }, 'odd');
    }).join('');
    expect(text).not.toContain(secret);
    expect(text).not.toContain(secret.split('_').at(-1));
    expect(text).toContain('[redacted]');
  });

  it('hides bearer tokens and passwords of any form and leaves the line readable', () => {
    const [line = ''] = written({}, (log) =>
      log.info({ from: 'Bearer\tabc.def', to: 'postgres://tender:pa55@127.0.0.1:5432/tender' }, 'm'),
    );
    expect(JSON.parse(line)).toMatchObject({
      from: 'Bearer [redacted]',
      to: 'postgres://tender:[redacted]@127.0.0.1:5432/tender',
    });
  });

  it('hides the fields that it is given to hide', () => {
    const [line = ''] = written({ redact: ['customer.email'] }, (log) =>
      log.info({ customer: { email: 'ada@example.com', id: 7 } }, 'm'),
    );
    expect(JSON.parse(line).customer).toEqual({ email: '[redacted]', id: 7 });
  });

  it('keeps ordinary text as it is', () => {
    const fields = { url: 'http://127.0.0.1:8080/a:b@c', payment: 'pay_test_4fX', note: 'the bearer' };
    const [line = ''] = written({}, (log) => log.info(fields, 'm'));
    expect(JSON.parse(line)).toMatchObject(fields);
  });

  it('leaves out what is below its level', () => {
    expect(written({ level: 'error' }, (log) => log.warn({}, 'm'))).toEqual([]);
  });

  it.each([
    ['warn', 1],
    ['debug', 3],
  ] as const)('at the level %s, of a fault that repeats within the minute, %i lines', (level, count) => {
    const lines = written({ level }, (log) => {
      for (const delay_ms of [50, 100, 200]) log.warn({ delay_ms, follower: 'x' }, 'a follower tries again');
    });
    expect(lines).toHaveLength(count);
  });

  it('what another library says of its faults is said once as well, what is no fault each time', () => {
    const lines = written({}, (log) => {
      for (const error of ['refused', 'timed out']) log.info({ part: 'kafka', error }, 'Connection error');
      for (const pid of [1, 2]) log.info({ pid }, 'the local chains run again');
    });
    expect(lines).toHaveLength(3);
  });
});
