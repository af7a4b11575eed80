import type { ScreeningArrangement, ScreeningBody } from '@tender/contracts';
import { invalidParameter } from '@tender/http';

const SUBJECTS = ['wallet', 'ip', 'email'] as const;

/** What the body asks for; throws 400 where it asks for nothing, or for two things. */
export function arrangementOf(body: ScreeningBody): ScreeningArrangement {
  const [kind, ...others] = SUBJECTS.filter((subject) => body[subject] != null);
  const { list, action } = body;
  if (list != null) {
    if (kind || action != null) throw invalidParameter({ field: 'list', message: 'stands alone' });
    return { kind: 'list', age: list };
  }
  if (!kind || others.length > 0) {
    throw invalidParameter({
      field: 'wallet',
      message: 'or ip or email must be given, one of them',
    });
  }
  if (action == null) {
    throw invalidParameter({ field: 'action', message: 'must be block, sanction or clear' });
  }
  const value = body[kind] ?? '';
  if (action !== 'sanction') return { kind, value, action };
  if (kind !== 'wallet')
    throw invalidParameter({ field: 'action', message: 'sanction is for wallets' });
  return { kind, value, action };
}
