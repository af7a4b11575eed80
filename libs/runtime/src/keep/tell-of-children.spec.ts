import { tellOfChildren } from './tell-of-children';

const PASSWORD = 'pa55';

test('people read which process ended, how, and what it said, without secrets; and when it runs again', () => {
  const lines: string[] = [];
  const tell = tellOfChildren((text) => void lines.push(text));
  const kafka = { name: 'kafka', again_ms: 200 };
  const said = `LOG: up\nFATAL: bad\nFATAL: bad\nof postgres://tender:${PASSWORD}@127.0.0.1/x`;
  tell({ type: 'serving', name: 'kafka', pid: 1 });
  tell({ type: 'ended', ...kafka, pid: 1, how: 'SIGKILL', said });
  tell({ type: 'ended', ...kafka, pid: null, how: 'the folder is gone', said: '', again_ms: 5_000 });
  tell({ type: 'ended', ...kafka, pid: null, how: 'Check that the server runs.', again_ms: 5_000 });
  tell({ type: 'serving', name: 'kafka', pid: 2 });
  tell({ type: 'serving', name: 'postgres', pid: 3 });
  expect(lines).toEqual([
    'tender: kafka (pid 1) ended (SIGKILL) and is started again in 0.2 s. Its last words:\n' +
      '  LOG: up\n  FATAL: bad\n  of postgres://tender:[redacted]@127.0.0.1/x\n',
    'tender: kafka does not start: the folder is gone. It is tried again in 5 s.\n',
    'tender: kafka does not start: Check that the server runs. It is tried again in 5 s.\n',
    'tender: kafka (pid 2) runs again.\n',
  ]);
});
