/** @needs python openssl */
import { runIn, sampleIn, testSample } from '../testing/samples';

test('the Python sample believes what Tender sent, and nothing else', () =>
  testSample((cases) => {
    const driver = `
import base64, json, sys
from sample import is_from_tender
print(json.dumps([
    is_from_tender(base64.b64decode(one["body"]), one["signature"], one["secret"], one["now"])
    for one in json.load(sys.stdin)
]))
`;
    const files = { 'sample.py': sampleIn('python'), 'driver.py': driver };
    const env = { PYTHONDONTWRITEBYTECODE: '1', PYTHONUTF8: '1' };
    return JSON.parse(runIn(files, ['python3', 'driver.py'], JSON.stringify(cases), env));
  }));

test('the shell sample believes what Tender sent, and nothing else', () =>
  testSample((cases) => {
    const sample = sampleIn('bash');
    return cases.map(({ body, signature, secret, now }) => {
      const files = { 'verify.sh': sample, body: Buffer.from(body, 'base64') };
      const env = { WEBHOOK_SECRET: secret, ...(now === null ? {} : { NOW: String(now) }) };
      const script = 'bash verify.sh body "$1" && echo genuine || echo refused';
      return runIn(files, ['bash', '-c', script, 'bash', signature ?? ''], '', env) === 'genuine\n';
    });
  }));
