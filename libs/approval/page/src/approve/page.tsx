import type { ComponentChildren } from 'preact';
import { Frame } from '../screens/parts';
import { Approved, Asked, Opening, Trouble, type ApproveProps } from './screens';
import type { ApproveState } from './view';

/** The whole page, in any state. */
export const ApprovePage = (props: ApproveProps) => (
  <Frame {...props}>{SCREENS[props.view.state](props)}</Frame>
);

const SCREENS: Readonly<Record<ApproveState, (props: ApproveProps) => ComponentChildren>> = {
  opening: Opening,
  'no request': Trouble,
  altered: Trouble,
  expired: Trouble,
  'no passkeys': Trouble,
  asked: Asked,
  approved: Approved,
};
