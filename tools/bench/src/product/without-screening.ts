import Module from 'node:module';
import path from 'node:path';

/** Loaded into a program in front of its own code: it makes payments and asks fraud about none of them. */
const PAYMENTS = path.resolve(__dirname, '../../../../dist/packages/payments-features.js');
const ASKS = 'exports.screenNewPayment = screenNewPayment;';
const ASKS_NOT = 'exports.screenNewPayment = async () => undefined;';

interface Compiling {
  _compile(this: unknown, content: string, filename: string, ...more: unknown[]): unknown;
}
const compiling = Module.prototype as unknown as Compiling;
const compile = compiling._compile;
compiling._compile = function (content, filename, ...more) {
  if (filename !== PAYMENTS) return compile.call(this, content, filename, ...more);
  if (!content.includes(ASKS)) throw new Error(`${PAYMENTS} does not say "${ASKS}"`);
  return compile.call(this, content.replace(ASKS, ASKS_NOT), filename, ...more);
};
