import { IsBoolean, IsIn, IsString } from 'class-validator';
import { MODES, type Mode } from '@tender/kernel';
import { merchantRoutes } from './merchants';
import { prefixedIds } from './object-ids';
import { passkeyRoutes } from './passkeys';
import { passkeyWalletRoutes } from './passkey-wallets';
import { route } from './route';
import { sessionRoutes } from './sessions';
import { Describe, IsApiKey, IsIdOf, IsName, IsReason, OrNull } from './validation';

export const keyIds = prefixedIds('key', 'second release');

export class ApiKeyAnswer {
  @IsIdOf(keyIds) id!: string;
  @IsIn(MODES) mode!: Mode;
  /** False after rotation. */
  @IsBoolean() is_active!: boolean;
  @IsString() created_at!: string;
  @OrNull() @IsString() last_used_at!: string | null;
}

export class CreateKeyBody {
  @IsIn(MODES) mode!: Mode;
}

export class CreateNamedKeyBody extends CreateKeyBody {
  @Describe('For people, to tell keys apart.', 'Till 2')
  @IsName(100)
  name!: string;
}

export class AdminCreateKeyBody extends CreateKeyBody {
  @IsReason() reason!: string;
}

export class CreateKeyAnswer {
  /** Shown here only. */
  @IsApiKey() key!: string;
  @IsIdOf(keyIds) id!: string;
  @IsIn(MODES) mode!: Mode;
  @IsString() created_at!: string;
}

export class CreateNamedKeyAnswer extends CreateKeyAnswer {
  @IsString() name!: string;
}

export class RotateKeyAnswer {
  @IsIdOf(keyIds) old_key_id!: string;
  @IsBoolean() old_key_deactivated!: boolean;
  /** Shown here only. */
  @IsApiKey() new_key!: string;
  @IsIdOf(keyIds) new_key_id!: string;
  @IsIn(MODES) mode!: Mode;
  @IsString() created_at!: string;
}

const keyed = { context: 'accounts', auth: 'key' } as const;

export const listKeys = route({
  ...keyed,
  id: 'listKeys',
  method: 'GET',
  path: '/api/v1/keys',
  limit: 'read',
  idempotent: false,
  answers: { 200: [ApiKeyAnswer] },
  refusals: [],
  summary: 'All keys of the caller’s mode, newest first',
  tag: 'API keys',
});

export const createKey = route({
  ...keyed,
  id: 'createKey',
  method: 'POST',
  path: '/api/v1/keys',
  limit: 'other',
  idempotent: true,
  body: CreateKeyBody,
  answers: { 201: CreateKeyAnswer },
  refusals: ['forbidden'],
  summary: 'Mint a key; a live one only with a live key',
  tag: 'API keys',
});

export const createNamedKey = route({
  ...keyed,
  id: 'createNamedKey',
  method: 'POST',
  path: '/api/v1/api-keys',
  limit: 'other',
  idempotent: true,
  body: CreateNamedKeyBody,
  answers: { 201: CreateNamedKeyAnswer },
  refusals: ['forbidden'],
  summary: 'Mint a key with a name',
  tag: 'API keys',
});

export const rotateKey = route({
  ...keyed,
  id: 'rotateKey',
  method: 'POST',
  path: '/api/v1/keys/{id}/rotate',
  objects: { id: keyIds },
  limit: 'other',
  idempotent: true,
  answers: { 200: RotateKeyAnswer },
  refusals: ['not_found', 'key_already_rotated'],
  summary: 'Put a new key in the place of one; the old one stops working at once',
  tag: 'API keys',
});

export const adminCreateKey = route({
  id: 'adminCreateKey',
  method: 'POST',
  path: '/admin/merchants/{id}/keys',
  context: 'accounts',
  auth: 'admin',
  limit: 'none',
  idempotent: true,
  body: AdminCreateKeyBody,
  answers: { 201: CreateKeyAnswer },
  refusals: ['not_found'],
  summary: 'Mint a key for a merchant, the first live one for example',
  tag: 'Admin',
});

export const accountsRoutes = [
  ...merchantRoutes,
  ...sessionRoutes,
  ...passkeyRoutes,
  ...passkeyWalletRoutes,
  listKeys,
  createKey,
  createNamedKey,
  rotateKey,
  adminCreateKey,
] as const;
