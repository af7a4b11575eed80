import { Body, Controller, Inject, Param, Query, Res } from '@nestjs/common';
import {
  changeFraudRule,
  createFraudRule,
  listFraudRules,
  PAGE_LIMIT_DEFAULT,
  routeText,
  type ChangeFraudRuleBody,
  type CreateFraudRuleBody,
  type FraudRuleAnswer,
  type PageQuery,
  type RequestContext,
} from '@tender/contracts';
import { recordAdminChange, type Runtime } from '@tender/eventing';
import {
  DEFAULT_RULES,
  type ChangeRule,
  type CreateRule,
  type Rule,
  type ruleDecider,
} from '@tender/fraud-domain';
import {
  accepted,
  Caller,
  notFound,
  refusalAnswer,
  RUNTIME,
  Serves,
  type RefusalAnswers,
} from '@tender/http';
import { isoTime, refuse, uuidOf, type RefusalOf } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { Screener } from '../screen-payment/screener';
import { SCREENER } from '../screen-payment/screener.token';
import { readTest } from './read-rule';
import { rule } from './rule.aggregate';

/** Rules of all replicas: one that screens elsewhere goes by a change as soon as it has heard of it. */
@Controller()
export class RulesHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(SCREENER) private readonly screener: Screener,
  ) {}

  @Serves(listFraudRules)
  async list(
    @Query() { limit = PAGE_LIMIT_DEFAULT, offset = 0 }: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FraudRuleAnswer[]> {
    const { memory } = this.screener;
    await memory.rules_copy.upToDate();
    void reply.header('X-Total-Count', String(memory.rules.length));
    return memory.rules.slice(offset, offset + limit).map(renderRule);
  }

  @Serves(createFraudRule)
  async create(
    @Caller() caller: RequestContext,
    @Body() body: CreateFraudRuleBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FraudRuleAnswer> {
    const { code, kind, params, weight, action, enabled = true, reason } = body;
    const test = readTest(kind, params);
    const id = ruleIdOf(this.runtime, code);
    await this.mustBeNew(id, code);
    const what = { code, ...test, weight, action, enabled };
    await recordAdminChange(this.runtime, caller, {
      reason,
      route: routeText(createFraudRule),
      what,
    });
    const { handled } = await rule.request(this.runtime, caller, () => {
      const made: Rule = { id, code, ...test, weight, action, enabled };
      const at = isoTime(this.runtime.clock.now());
      return { id, command: { type: 'CreateRule', rule: made, reason, at } as const };
    });
    const { state } = accepted(handled, CREATE_REFUSALS, reply);
    await this.screener.memory.rules_copy.upToDate();
    return renderRule(state.rule);
  }

  @Serves(changeFraudRule)
  async change(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
    @Body() body: ChangeFraudRuleBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FraudRuleAnswer> {
    const { params, weight, action, enabled, reason } = body;
    const base = DEFAULT_RULES.find((known) => known.id === id) ?? null;
    const before = (await rule.load(this.runtime, 'all', id))?.rule ?? base;
    if (!before) throw notFound();
    const test = params ? readTest(before.kind, params) : null;
    const changes = { ...test, ...given({ weight, action, enabled }) };
    const what = { rule_id: id, ...changes };
    await recordAdminChange(this.runtime, caller, {
      reason,
      route: routeText(changeFraudRule),
      what,
    });
    const { handled } = await rule.request(this.runtime, caller, () => {
      const change = (known: Rule): Rule => ({ ...known, ...changes }) as Rule;
      const at = isoTime(this.runtime.clock.now());
      return { id, command: { type: 'ChangeRule', change, base, reason, at } as const };
    });
    const { state } = accepted(handled, CHANGE_REFUSALS, reply);
    await this.screener.memory.rules_copy.upToDate();
    return renderRule(state.rule);
  }

  /** Of default rules, and those from before ids derived from codes, memory tells; of others the rule’s own stream. */
  private async mustBeNew(id: string, code: string): Promise<void> {
    const { memory } = this.screener;
    await memory.rules_copy.upToDate();
    const twin = memory.rules.find((known) => known.code === code && known.id !== id);
    if (twin) throw refusalAnswer(refuse('rule_exists', { rule_id: twin.id }), CREATE_REFUSALS);
  }
}

/** The same code has the same id: of two who ask at once, one makes the rule. */
const ruleIdOf = ({ keyRing }: Pick<Runtime, 'keyRing'>, code: string): string =>
  uuidOf(keyRing.idBytes(`fraud.rule|${code}`));

/** What was left out, or sent as null, stays as it is. */
const given = (fields: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));

const renderRule = ({
  id,
  code,
  kind,
  params,
  weight,
  action,
  enabled,
}: Rule): FraudRuleAnswer => ({
  ...{ id, code, kind, params, weight, action, enabled },
});

const CREATE_REFUSALS: RefusalAnswers<RefusalOf<typeof ruleDecider, CreateRule>> = {
  rule_exists: [
    409,
    'rule_exists',
    'A rule with this code exists: change that one, or take another code.',
  ],
};
const CHANGE_REFUSALS: RefusalAnswers<RefusalOf<typeof ruleDecider, ChangeRule>> = {
  rule_unknown: [404, 'not_found', 'There is no such resource.'],
};
