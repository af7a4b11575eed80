const LOOPBACK = /^(127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Where a browser opens the pages at that URL to use passkeys: it makes none for an IP address, so the addresses of
 * one’s own machine are `localhost`.
 */
export function onLocalhost(url: string): URL {
  const opened = new URL(url);
  if (LOOPBACK.test(opened.hostname)) opened.hostname = 'localhost';
  return opened;
}
