import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020';
import { asyncApiDocument } from '@tender/contracts';
import { runIn } from '@tender/contracts/testing';
import { casesOf, PAGE, recordDelivery, sampleIn, testSample, type Recorded } from '../testing/samples';

interface HeadersSchema {
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
}

const NODE_MODULES = path.resolve(__dirname, '../../../../../node_modules');

test('the TypeScript sample believes what Tender sent, and nothing else', () =>
  testSample((cases) => {
    const driver = `
      import { readFileSync } from 'node:fs';
      import { isFromTender, isStandardWebhook } from './sample.ts';
      const cases = JSON.parse(readFileSync(0, 'utf8'));
      console.log(JSON.stringify(cases.map(({ body, signature, standard, secret, now }) => {
        const given = [secret, now ?? undefined];
        const bytes = Buffer.from(body, 'base64');
        return standard ? isStandardWebhook(bytes, standard, ...given) : isFromTender(bytes, signature, ...given);
      })));`;
    const files = { 'sample.ts': sampleIn('ts'), 'driver.ts': driver };
    return JSON.parse(runIn(files, [process.execPath, 'driver.ts'], JSON.stringify(cases)));
  }));

describe('of a real delivery', () => {
  let recorded: Recorded;
  beforeAll(async () => {
    recorded = await recordDelivery();
  });

  test('the sample with a library of Standard Webhooks believes it with either secret, and nothing else', () => {
    const { delivery, secrets } = recorded;
    const { headers, bytes } = delivery;
    const body = bytes.toString('base64');
    const later = String(Number(headers['webhook-timestamp']) + 1);
    const tries = [
      ...secrets.map((secret) => ({ body, headers, secret })),
      { body: Buffer.concat([bytes, Buffer.from('\n')]).toString('base64'), headers, secret: secrets[0] },
      { body, headers: { ...headers, 'webhook-timestamp': later }, secret: secrets[0] },
      { body, headers, secret: `whsec_${Buffer.alloc(32).toString('base64')}` },
    ];
    const driver = `
      import { readFileSync, symlinkSync } from 'node:fs';
      symlinkSync(${JSON.stringify(NODE_MODULES)}, 'node_modules');
      const { eventOf } = await import('./sample.mts');
      console.log(JSON.stringify(JSON.parse(readFileSync(0, 'utf8')).map(({ body, headers, secret }) => {
        try {
          return eventOf(Buffer.from(body, 'base64'), headers, secret).payment.description;
        } catch (error) {
          return error.message;
        }
      })));`;
    const files = { 'sample.mts': sampleIn('typescript'), 'driver.mts': driver };
    const said = runIn(files, [process.execPath, 'driver.mts'], JSON.stringify(tries));
    const refused = 'No matching signature found';
    const text = 'Café ☕ \u2028';
    expect(JSON.parse(said)).toEqual([text, text, refused, refused, refused]);
  });

  test('its headers are those of the AsyncAPI document, and of the page', () => {
    const { headers } = recorded.delivery;
    const { components } = asyncApiDocument() as {
      components: { schemas: { WebhookHeaders: HeadersSchema } };
    };
    const { properties, required } = components.schemas.WebhookHeaders;
    const names = Object.keys(properties);
    const sent = Object.keys(headers).filter((name) => /^(x-svc|webhook)-/.test(name));
    expect(sent.sort()).toEqual(names.map((name) => name.toLowerCase()).sort());
    expect(required).toEqual(names);
    const shown = Object.fromEntries(names.map((name) => [name, headers[name.toLowerCase()]]));
    const ajv = new Ajv2020({ strict: false });
    expect([ajv.validate({ type: 'object', properties, required }, shown), ajv.errors]).toEqual([true, null]);
    const page = readFileSync(PAGE, 'utf8');
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  test('what is changed in the cases is changed', () => {
    const [first, ...others] = casesOf(recorded);
    const forms = others.map((one) => JSON.stringify({ ...one, name: '', genuine: true }));
    expect(forms).not.toContain(JSON.stringify({ ...first, name: '' }));
    expect(new Set(forms).size).toBe(others.length);
  });
});
