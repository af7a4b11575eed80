import { createHash, randomBytes, randomUUID } from 'node:crypto';
import {
  Body,
  ConflictException,
  Controller,
  Headers,
  Inject,
  Injectable,
  Post,
  Req,
  UnauthorizedException,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import bs58 from 'bs58';
import { IsIn, IsNumber, IsObject, IsOptional, IsPositive, IsString, MaxLength } from 'class-validator';
import { DataSource, type EntityManager } from 'typeorm';
import {
  ShopApiKey,
  ShopIdempotencyKey,
  ShopOutboxRow,
  ShopPayment,
  type ShopMerchant,
} from './shop-tables';

const LIFETIME_MS = 3_600_000;

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export class ShopOrder {
  @IsNumber()
  @IsPositive()
  amount!: number;

  @IsOptional()
  @IsIn(['USD', 'EUR', 'GBP'])
  currency?: string;

  @IsOptional()
  @IsIn(['USDC', 'USDT', 'SOL'])
  token?: string;

  @IsOptional()
  @IsString()
  @MaxLength(500)
  description?: string;

  @IsOptional()
  @IsObject()
  metadata?: object;
}

interface Asked {
  readonly headers: Readonly<Record<string, string | undefined>>;
  merchant?: ShopMerchant;
}

/** Looks the key up for each request. */
@Injectable()
export class ShopKeyGuard implements CanActivate {
  constructor(@Inject(DataSource) private readonly database: DataSource) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Asked>();
    const [, key] = /^Bearer (.+)$/.exec(request.headers['authorization'] ?? '') ?? [];
    if (!key) throw new UnauthorizedException();
    const keys = this.database.getRepository(ShopApiKey);
    const hash = sha256(key);
    const found = await keys.findOne({ where: { hash }, relations: { merchant: true } });
    if (!found) throw new UnauthorizedException();
    request.merchant = found.merchant;
    return true;
  }
}

@Controller('api/v1/payments')
@UseGuards(ShopKeyGuard)
export class ShopPayments {
  constructor(@Inject(DataSource) private readonly database: DataSource) {}

  @Post()
  create(
    @Body() order: ShopOrder,
    @Req() { merchant }: Asked,
    @Headers('idempotency-key') key?: string,
  ): Promise<object> {
    return this.database.transaction(async (manager) => {
      const payment = paymentOf(order, merchant as ShopMerchant);
      const answer = answerOf(payment, merchant as ShopMerchant);
      const earlier = key ? await claimKey(manager, payment.merchant_id, key, order, answer) : null;
      if (earlier) return earlier;
      await manager.insert(ShopPayment, payment);
      await manager.insert(ShopOutboxRow, {
        merchant_id: payment.merchant_id,
        delivery_id: randomUUID(),
        event: 'PaymentCreated',
        body: { event: 'PaymentCreated', payment: answer },
      });
      return answer;
    });
  }
}

/** The answer that this key got before; null when it is new, and is then taken. */
async function claimKey(
  manager: EntityManager,
  merchant_id: string,
  key: string,
  order: ShopOrder,
  answer: object,
): Promise<object | null> {
  const row = { merchant_id, key, body_hash: sha256(JSON.stringify(order)), answer };
  const insert = manager.createQueryBuilder().insert().into(ShopIdempotencyKey);
  const { raw } = await insert.values(row).orIgnore().returning('key').execute();
  if ((raw as unknown[]).length > 0) return null;
  const earlier = await manager.findOneByOrFail(ShopIdempotencyKey, { merchant_id, key });
  if (earlier.body_hash !== row.body_hash) throw new ConflictException('idempotency_key_reused');
  return earlier.answer;
}

function paymentOf(order: ShopOrder, merchant: ShopMerchant): ShopPayment {
  const now = Date.now();
  return {
    id: `pay_${randomUUID()}`,
    merchant_id: merchant.id,
    status: 'pending',
    amount: String(Math.round(order.amount * 100)),
    currency: order.currency ?? 'USD',
    token: order.token ?? 'USDC',
    description: order.description ?? null,
    metadata: order.metadata ?? null,
    reference: bs58.encode(randomBytes(32)),
    created_at: new Date(now),
    expires_at: new Date(now + LIFETIME_MS),
  };
}

const answerOf = (payment: ShopPayment, { wallet }: ShopMerchant): object => ({
  ...payment,
  wallet_address: wallet,
  qr_code: `solana:${wallet}?amount=${Number(payment.amount) / 100}&reference=${payment.reference}`,
});
