import { specificationOf, stateAfter } from '@tender/eventing/testing';
import { planDecider, type ActivatePlan, type CreatePlan, type DeactivatePlan } from './decide-plan';
import type { PlanEvent } from './plan';
import history from './recorded/plan-v1.json';

const given = specificationOf(planDecider);
const recorded = history as unknown as { [One in PlanEvent as One['type']]: One };
const { PlanCreated: Created, PlanDeactivated: Deactivated, PlanActivated: Activated } = recorded;
const { terms } = Created.data;
const create = (amount_max = 2999n): CreatePlan => ({ type: 'CreatePlan', terms, amount_max });
const deactivate: DeactivatePlan = { type: 'DeactivatePlan', now: Deactivated.data.deactivated_at };
const activate: ActivatePlan = { type: 'ActivatePlan', now: Activated.data.activated_at };

test('a recorded history of version 1 folds as it did', () => {
  const plan = { status: 'active', terms, updated_at: terms.created_at };
  expect(stateAfter(planDecider, [Created])).toEqual(plan);
  expect(stateAfter(planDecider, [Created, Deactivated])).toEqual({
    ...{ ...plan, status: 'inactive', updated_at: '2026-02-01T00:00:00.000Z' },
  });
  expect(stateAfter(planDecider, [Created, Deactivated, Activated])).toEqual({
    ...{ ...plan, updated_at: '2026-03-01T00:00:00.000Z' },
  });
});

test('an event of a later version, or of a stream that has not begun, changes nothing', () => {
  const later = { type: 'PlanNoted', data: { terms } } as unknown as PlanEvent;
  expect(stateAfter(planDecider, [Created, later])).toEqual(stateAfter(planDecider, [Created]));
  expect(stateAfter(planDecider, [Deactivated])).toEqual({ status: 'unknown' });
});

describe('the table', () => {
  test('create', () => given().when(create()).then(Created));
  test('above the maximum', () =>
    given().when(create(2998n)).thenRefused('amount_too_large', { amount_max_usd: 29.98 }));
  test('of one that exists', () => given(Created).when(create()).thenRefused('plan_exists'));
  test('deactivate', () => given(Created).when(deactivate).then(Deactivated));
  test('activate', () => given(Created, Deactivated).when(activate).then(Activated));
  test('what it is already', () => {
    given(Created, Deactivated).when(deactivate).then();
    given(Created).when(activate).then();
  });
  test('of none', () => {
    given().when(deactivate).thenRefused('plan_unknown');
    given().when(activate).thenRefused('plan_unknown');
  });
});
