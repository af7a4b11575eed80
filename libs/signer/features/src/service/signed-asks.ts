import {
  isSignedBy,
  signMessage,
  type Envelope,
  type Identity,
  type MessageKind,
  type Role,
  type Signed,
} from '@tender/threshold';
import type { SignerLog } from './ports';
import { refuse, type Ask, type Reply } from './reply';

/** What a party does about each kind of message that it knows. */
export type Handlers = {
  readonly [Kind in MessageKind]?: (ask: Ask<Kind>) => Promise<Reply<Kind>>;
};

export interface SignedAsksOptions {
  readonly role: Role;
  readonly identity: Identity;
  /** Null: what brings the messages comes from treasury alone, such as the pipe of a process that it started. */
  readonly treasury_identity: string | null;
  readonly handlers: Handlers;
  readonly log: SignerLog;
}

const SESSION = /^[\w-]{8,80}$/;

/**
 * Answers what treasury has signed for this party, and signs the answer. Null for everything else: its sender
 * gets no answer.
 */
export const signedAsks =
  (options: SignedAsksOptions) =>
  async (value: unknown): Promise<Signed | null> => {
    const { role, identity, treasury_identity, log } = options;
    const asked = value as Signed;
    if (treasury_identity !== null && !isSignedBy(asked, treasury_identity)) return null;
    const { message } = asked;
    if (message.from !== 'treasury' || message.to !== role) return null;
    const reply = await replyTo(options, message);
    if ('signed' in reply) return reply.signed;
    const { kind, session, epoch } = message;
    const about = { v: 1, session, from: role, epoch } as const;
    if ('refused' in reply) {
      const { refused: code, ...said } = reply;
      log.warn({ kind, session, code, ...said }, 'a message is refused');
      return signMessage(identity, { ...about, kind: 'refused', to: 'treasury', body: { code, ...said } });
    }
    log.info({ kind, session }, 'a message is answered');
    const to = reply.to_all ? 'all' : 'treasury';
    return signMessage(identity, { ...about, kind, to, body: reply.body });
  };

type Handle = (ask: Envelope) => Promise<Reply<MessageKind>>;

async function replyTo(
  { handlers }: SignedAsksOptions,
  message: Envelope,
): Promise<Reply<MessageKind>> {
  if (!SESSION.test(message.session)) {
    return refuse('session_malformed', 'a session has 8 to 80 letters, digits, - or _');
  }
  if (!Object.hasOwn(handlers, message.kind)) {
    return refuse('kind_unknown', 'this party knows no such message');
  }
  const handle = handlers[message.kind as MessageKind] as Handle;
  return handle(message);
}
