import { cutToBytes, RESPONSE_BYTES_KEPT_MAX, shownResponse } from './shown-response';

test('secrets are redacted', () => {
  const text = [
    'key svc_live_AbC123 and svc_test_x',
    'whsec_q83vEjRWeJASNFZ4kBI0Vg==',
    'Authorization: Bearer top.secret',
    '{"authorization":"Basic abc="}',
  ].join('\n');
  const shown = shownResponse(Buffer.from(text));
  for (const secret of ['AbC123', 'svc_test_x', 'q83v', 'top.secret', 'abc=']) {
    expect(shown).not.toContain(secret);
  }
  expect(shown).toContain('key [redacted] and [redacted]');
});

test('control characters are escaped, lines and tabs stay, broken UTF-8 is replaced', () => {
  expect(shownResponse(Buffer.from('a\0b\u001b[31mc\n\td\u009b'))).toBe('a\\x00b\\x1b[31mc\n\td\\x9b');
  expect(shownResponse(Buffer.from([0x61, 0xff, 0x62]))).toBe('a\ufffdb');
});

test('what is kept has at most 4 KiB, of whole characters', () => {
  const shown = shownResponse(Buffer.from('é'.repeat(8000)));
  expect(Buffer.byteLength(shown)).toBe(RESPONSE_BYTES_KEPT_MAX);
  expect(shown).not.toContain('\ufffd');
  expect(cutToBytes('aé', 2)).toBe('a');
});
