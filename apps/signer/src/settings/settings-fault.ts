/** A setting that cannot be used: the message names the variable and the way out. */
export class SettingsFault extends Error {
  override readonly name = 'SettingsFault';
}

export type Env = Readonly<Record<string, string | undefined>>;

/** `hint` says what it is and how one comes by it. */
export function required(env: Env, name: string, hint: string): string {
  const text = env[name];
  if (text) return text;
  throw new SettingsFault(`${name} is not set: ${hint}`);
}
