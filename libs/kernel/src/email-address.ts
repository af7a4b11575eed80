// Dot-atom and host name only. Quoted local parts, comments and line breaks have sent mail to strangers.
// No part can match in two ways, so the time is linear.
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const HOST_LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/;
export const EMAIL_CHARACTERS_MAX = 254;

/** An address that mail may be sent to: ASCII, of a host that has a name. */
export function isEmailAddress(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > EMAIL_CHARACTERS_MAX) return false;
  const at = value.lastIndexOf('@');
  const local = value.slice(0, at);
  const labels = value.slice(at + 1).split('.');
  return (
    at > 0 &&
    local.length <= 64 &&
    LOCAL_PART.test(local) &&
    labels.length > 1 &&
    labels.every((label) => label.length <= 63 && HOST_LABEL.test(label)) &&
    !/^\d+$/.test(labels.at(-1) as string)
  );
}
