import { PassThrough } from 'node:stream';
import { processTerminal } from './terminal';

const given = { stdout: process.stdout, stderr: process.stderr };
const streams = { stdout: new PassThrough(), stderr: new PassThrough() };
const put = (name: keyof typeof given, value: unknown) =>
  Object.defineProperty(process, name, { value, configurable: true, writable: true });

beforeAll(() => {
  put('stdout', streams.stdout);
  put('stderr', streams.stderr);
});
afterAll(() => {
  put('stdout', given.stdout);
  put('stderr', given.stderr);
});

const fault = (code: string) => Object.assign(new Error(`write ${code}`), { code });

it('hears without a fault that the reader of its output has gone, and tells the command that asked', () => {
  const terminal = processTerminal();
  for (const stream of Object.values(streams)) {
    expect(() => stream.emit('error', fault('EPIPE'))).not.toThrow();
    expect(() => stream.emit('error', fault('ENOSPC'))).toThrow('ENOSPC');
  }
  const interrupted = jest.fn();
  terminal.onInterrupt(interrupted);
  streams.stdout.emit('error', fault('EPIPE'));
  expect(interrupted).toHaveBeenCalledTimes(1);
});
