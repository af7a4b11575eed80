import {
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
import {
  FLAG_RESOLUTIONS,
  FlagAnswer,
  listFraudFlags,
  ListFlagsAnswer,
  ListFlagsQuery,
  readFraudStats,
  type FlagResolution,
} from './fraud';
import { route } from './route';
import { Describe, IsReason, IsTime, OrNull, PageQuery } from './validation';

const RULE_KINDS = ['velocity', 'amount', 'first_payment', 'list'] as const;
const RULE_ACTIONS = ['score', 'review', 'block', 'allow'] as const;
const LIST_KINDS = ['wallet', 'ip', 'email'] as const;
type RuleKind = (typeof RULE_KINDS)[number];
type RuleAction = (typeof RULE_ACTIONS)[number];
type ListKind = (typeof LIST_KINDS)[number];

const PARAMS =
  'velocity `{by, window_seconds, max}`, amount `{multiple}`, first_payment `{min_usd}`, list `{kind}`';

export class FraudRuleAnswer {
  @IsString() id!: string;
  @IsString() code!: string;
  @IsIn(RULE_KINDS) kind!: RuleKind;
  @Describe(PARAMS) @IsObject() params!: object;
  @IsInt() weight!: number;
  @IsIn(RULE_ACTIONS) action!: RuleAction;
  @IsBoolean() enabled!: boolean;
}

export class CreateFraudRuleBody {
  @Describe('In reasons and flags; no two rules have the same.', 'velocity_wallet_day')
  @IsString()
  @MaxLength(64)
  @Matches(/^[a-z][a-z0-9_]*$/)
  code!: string;
  @IsIn(RULE_KINDS) kind!: RuleKind;
  @Describe(PARAMS) @IsObject() params!: object;
  @IsInt() @Min(0) @Max(100) weight!: number;
  @IsIn(RULE_ACTIONS) action!: RuleAction;
  @Describe('True unless told.') @IsOptional() @IsBoolean() enabled?: boolean;
  @IsReason() reason!: string;
}

export class ChangeFraudRuleBody {
  @Describe('Of the rule’s own kind.') @IsOptional() @IsObject() params?: object;
  @IsOptional() @IsInt() @Min(0) @Max(100) weight?: number;
  @IsOptional() @IsIn(RULE_ACTIONS) action?: RuleAction;
  @IsOptional() @IsBoolean() enabled?: boolean;
  @IsReason() reason!: string;
}

export class BlocklistEntryAnswer {
  @IsString() id!: string;
  @IsIn(LIST_KINDS) kind!: ListKind;
  @Describe('Null once it was erased.') @OrNull() @IsString() value!: string | null;
  @OrNull() @IsString() note!: string | null;
  @IsTime() created_at!: string;
}

export class AddBlocklistEntryBody {
  @IsIn(LIST_KINDS) kind!: ListKind;
  @IsString() @MinLength(1) @MaxLength(254) value!: string;
  @IsOptional() @IsString() @MaxLength(500) note?: string;
  @IsReason() reason!: string;
}

export class BlocklistQuery extends PageQuery {
  @IsOptional() @IsIn(LIST_KINDS) kind?: ListKind;
}

export class RemoveBlocklistEntryQuery {
  @IsReason() reason!: string;
}

export class ResolveFlagBody {
  @IsIn(FLAG_RESOLUTIONS) resolution_type!: FlagResolution;
  @IsReason() notes!: string;
}

const admin = {
  context: 'fraud',
  auth: 'admin',
  limit: 'none',
  idempotent: false,
  tag: 'Admin',
} as const;

export const listFraudRules = route({
  ...admin,
  id: 'listFraudRules',
  method: 'GET',
  path: '/admin/fraud/rules',
  query: PageQuery,
  answers: { 200: [FraudRuleAnswer] },
  refusals: [],
  summary: 'The rules that payments are screened by, in both modes, oldest first',
});

export const createFraudRule = route({
  ...admin,
  id: 'createFraudRule',
  method: 'POST',
  path: '/admin/fraud/rules',
  idempotent: true,
  body: CreateFraudRuleBody,
  answers: { 201: FraudRuleAnswer },
  refusals: ['rule_exists'],
  summary: 'Add a rule',
});

export const changeFraudRule = route({
  ...admin,
  id: 'changeFraudRule',
  method: 'PUT',
  path: '/admin/fraud/rules/{id}',
  body: ChangeFraudRuleBody,
  answers: { 200: FraudRuleAnswer },
  refusals: ['not_found'],
  summary: 'Change a rule; what is left out stays',
});

export const listBlocklist = route({
  ...admin,
  id: 'listBlocklist',
  method: 'GET',
  path: '/admin/fraud/blocklist',
  query: BlocklistQuery,
  answers: { 200: [BlocklistEntryAnswer] },
  refusals: [],
  summary: 'Who is blocked, in both modes, newest first',
});

export const addBlocklistEntry = route({
  ...admin,
  id: 'addBlocklistEntry',
  method: 'POST',
  path: '/admin/fraud/blocklist',
  idempotent: true,
  body: AddBlocklistEntryBody,
  answers: { 200: BlocklistEntryAnswer, 201: BlocklistEntryAnswer },
  refusals: [],
  summary: 'Block a wallet, an address or an e-mail; 200 where it was blocked before',
});

export const removeBlocklistEntry = route({
  ...admin,
  id: 'removeBlocklistEntry',
  method: 'DELETE',
  path: '/admin/fraud/blocklist/{id}',
  query: RemoveBlocklistEntryQuery,
  answers: { 200: BlocklistEntryAnswer },
  refusals: ['not_found'],
  summary: 'Block it no longer',
});

export const adminListFlags = route({
  ...admin,
  id: 'adminListFlags',
  method: 'GET',
  path: '/admin/fraud/flags',
  query: ListFlagsQuery,
  answers: { 200: ListFlagsAnswer },
  refusals: [],
  summary: 'Flags of all merchants in both modes, newest first',
});

export const resolveFraudFlag = route({
  ...admin,
  id: 'resolveFraudFlag',
  method: 'POST',
  path: '/admin/fraud/flags/{id}/resolve',
  body: ResolveFlagBody,
  answers: { 200: FlagAnswer },
  refusals: ['not_found', 'flag_already_resolved'],
  summary: 'Say what a flag was',
});

export const fraudRoutes = [
  listFraudFlags,
  readFraudStats,
  listFraudRules,
  createFraudRule,
  changeFraudRule,
  listBlocklist,
  addBlocklistEntry,
  removeBlocklistEntry,
  adminListFlags,
  resolveFraudFlag,
] as const;
