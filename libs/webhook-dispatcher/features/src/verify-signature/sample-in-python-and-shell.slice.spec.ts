/** @needs python openssl */
import { runIn } from '@tender/contracts/testing';
import { sampleIn, testSample } from '../testing/samples';

test('the Python sample believes what Tender sent, and nothing else', () =>
  testSample((cases) => {
    const driver = `
import base64, json, sys
from sample import is_from_tender, is_standard_webhook

def judge(one):
    body = base64.b64decode(one["body"])
    if "standard" in one:
        return is_standard_webhook(body, one["standard"], one["secret"], one["now"])
    return is_from_tender(body, one["signature"], one["secret"], one["now"])

print(json.dumps([judge(one) for one in json.load(sys.stdin)]))
`;
    const files = { 'sample.py': sampleIn('python'), 'driver.py': driver };
    const env = { PYTHONDONTWRITEBYTECODE: '1', PYTHONUTF8: '1' };
    return JSON.parse(runIn(files, ['python3', 'driver.py'], JSON.stringify(cases), env));
  }));

test('the shell sample believes what Tender sent, and nothing else', () =>
  testSample((cases) => {
    const sample = sampleIn('bash');
    return cases.map(({ body, signature, standard, secret, now }) => {
      const files = { 'verify.sh': sample, body: Buffer.from(body, 'base64') };
      const env = { WEBHOOK_SECRET: secret, ...(now === null ? {} : { NOW: String(now) }) };
      const script = 'bash verify.sh body "$@" && echo genuine || echo refused';
      const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
      const given = standard ? names.map((name) => standard[name] ?? '') : [signature ?? ''];
      return runIn(files, ['bash', '-c', script, 'bash', ...given], '', env) === 'genuine\n';
    });
  }));
