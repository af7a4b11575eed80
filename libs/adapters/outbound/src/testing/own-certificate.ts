import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

/** A key and the certificate that it has signed for itself, for this machine; PEM. */
export function ownCertificate(): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const content = contentOf(publicKey);
  const signature = sign('sha256', content, privateKey);
  const bits = tagged(0x03, Buffer.from([0]), signature);
  const base64 = sequence(content, ECDSA_WITH_SHA256, bits)
    .toString('base64')
    .replace(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  };
}

/** What X.509 has signed (RFC 5280 §4.1). */
function contentOf(publicKey: KeyObject): Buffer {
  const name = sequence(set(sequence(COMMON_NAME, tagged(0x0c, Buffer.from('localhost')))));
  return sequence(
    tagged(0xa0, integer(2)),
    integer(1),
    ECDSA_WITH_SHA256,
    name,
    sequence(utcTime('200101000000Z'), utcTime('491231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(sequence(ALT_NAME, tagged(0x04, sequence(LOCALHOST, LOOPBACK))))),
  );
}

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const long = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...(length < 0x80 ? [length] : long)]), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, ...parts);
const set = (...parts: readonly Buffer[]): Buffer => tagged(0x31, ...parts);
const integer = (value: number): Buffer => tagged(0x02, Buffer.from([value]));
const utcTime = (text: string): Buffer => tagged(0x17, Buffer.from(text));
const oid = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'));

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));
const COMMON_NAME = oid('550403');
const ALT_NAME = oid('551d11');
const LOCALHOST = tagged(0x82, Buffer.from('localhost'));
const LOOPBACK = tagged(0x87, Buffer.from([127, 0, 0, 1]));
