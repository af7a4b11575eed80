import type { Language } from '@tender/page/browser';
import type { ProvenOperation, ReadRequest } from '@tender/threshold/approval';
import { Button, Heading, Note, Tick, Waits } from '../screens/parts';
import type { ApproveActions } from './actions';
import type { ApproveView, RequestTrouble } from './view';
import type { ApproveWords } from './words/words';

/** What every screen is given. */
export interface ApproveProps {
  readonly view: ApproveView;
  readonly words: ApproveWords;
  readonly actions: ApproveActions;
}

export const Opening = ({ words }: ApproveProps) => (
  <>
    <Heading>{words.opening}</Heading>
    <Waits>{words.waiting}</Waits>
  </>
);

/** There is nothing to approve, or not any more, or not in this browser. */
export function Trouble({ view, words }: ApproveProps) {
  const { title, text } = words.troubles[view.state as RequestTrouble];
  return (
    <>
      <Heading>{title}</Heading>
      <p>{text}</p>
    </>
  );
}

/** What will be allowed, and until when: all of it from what the passkey signs. */
export function Asked({ view, words, actions }: ApproveProps) {
  const { operation, expires_ms } = view.request as ReadRequest;
  const { title, text } = words.operations[operation.type];
  return (
    <>
      <Heading>{title}</Heading>
      <p>{text}</p>
      <dl>
        {shownFields(operation, words, view.language).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p>{words.only_own}</p>
      <Note view={view} words={words} />
      <Button kind="primary" waits={view.waiting} onPress={() => actions.approve()}>
        {words.approve}
      </Button>
      {view.waiting && <Waits>{words.passkey_asked}</Waits>}
      <p class="hint">{words.until(timeOf(expires_ms, view.language))}</p>
    </>
  );
}

/** A field of the operation and its value, in words. */
type Field = readonly [name: string, value: string];

function shownFields(
  operation: ProvenOperation,
  { fields, modes }: ApproveWords,
  language: Language,
): readonly Field[] {
  const merchant: Field = [fields.merchant, operation.merchant_id];
  switch (operation.type) {
    case 'unfreeze_operating_wallet':
      return [[fields.wallet, operation.wallet], [fields.mode, modes[operation.mode]], merchant];
    case 'set_operating_wallet_limits': {
      const per_day = usd(operation.per_day_cents, language);
      const of_wallet: Field = [fields.wallet, operation.wallet];
      return [[fields.per_day, per_day], of_wallet, [fields.mode, modes[operation.mode]], merchant];
    }
    case 'pin_passkey':
      return [
        [fields.passkey, operation.credential_id],
        [fields.public_key, operation.public_key],
        merchant,
      ];
    case 'unpin_passkey':
      return [[fields.passkey, operation.credential_id], merchant];
  }
}

const USD = { style: 'currency', currency: 'USD', currencyDisplay: 'code' } as const;
const usd = (cents: number, language: Language): string =>
  new Intl.NumberFormat(language, USD).format(cents / 100);

const timeOf = (ms: number, language: Language): string =>
  new Intl.DateTimeFormat(language, { timeStyle: 'medium' }).format(ms);

/** The proof, for the request that carries it out: nothing has changed yet. */
export function Approved({ view, words, actions }: ApproveProps) {
  const { signature, is_taken, is_copied, request, language } = view;
  return (
    <>
      <Tick />
      <Heading>{words.approved_title}</Heading>
      <div role="status">{is_taken && <p class="note taken">{words.taken}</p>}</div>
      <p>{words.approved_text}</p>
      <p class="code">{signature}</p>
      <Button kind={is_taken ? 'plain' : 'primary'} onPress={() => actions.copy()}>
        {words.copy}
      </Button>
      <div role="status">
        {is_copied !== null && <p>{is_copied ? words.copied : words.not_copied}</p>}
      </div>
      <p class="hint">{words.until(timeOf((request as ReadRequest).expires_ms, language))}</p>
    </>
  );
}
