import { onLocalhost } from './on-localhost';

test.each([
  ['http://127.0.0.1:8080', 'http://localhost:8080'],
  ['http://127.8.0.1', 'http://localhost'],
  ['http://[::1]:3000/', 'http://localhost:3000'],
  ['http://localhost:8090', 'http://localhost:8090'],
  ['https://pay.example.com', 'https://pay.example.com'],
  ['https://127.0.0.1.example.com', 'https://127.0.0.1.example.com'],
  ['http://10.0.0.1', 'http://10.0.0.1'],
])('pages at %s are opened at %s', (url, origin) => {
  expect(onLocalhost(url).origin).toBe(origin);
});
