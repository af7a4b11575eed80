import { Column, Entity, Index, ManyToOne, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

@Entity('shop_merchants')
export class ShopMerchant {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  wallet!: string;

  @Column('text')
  webhook_url!: string;

  @Column('text')
  webhook_secret!: string;
}

@Entity('shop_api_keys')
export class ShopApiKey {
  /** SHA-256 of the key. */
  @PrimaryColumn('text')
  hash!: string;

  @ManyToOne(() => ShopMerchant, { nullable: false })
  merchant!: ShopMerchant;
}

@Entity('shop_payments')
@Index(['merchant_id', 'created_at'])
export class ShopPayment {
  @PrimaryColumn('text')
  id!: string;

  @Column('uuid')
  merchant_id!: string;

  @Column('text')
  status!: string;

  /** Cents. */
  @Column('bigint')
  amount!: string;

  @Column('text')
  currency!: string;

  @Column('text')
  token!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column('jsonb', { nullable: true })
  metadata!: object | null;

  @Column('text', { unique: true })
  reference!: string;

  @Column('timestamptz')
  created_at!: Date;

  @Column('timestamptz')
  expires_at!: Date;
}

@Entity('shop_idempotency_keys')
export class ShopIdempotencyKey {
  @PrimaryColumn('uuid')
  merchant_id!: string;

  @PrimaryColumn('text')
  key!: string;

  @Column('text')
  body_hash!: string;

  @Column('jsonb')
  answer!: object;
}

@Entity('shop_outbox')
@Index('shop_outbox_due', ['id'], { where: 'delivered_at IS NULL' })
export class ShopOutboxRow {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: string;

  @Column('uuid')
  merchant_id!: string;

  @Column('uuid')
  delivery_id!: string;

  @Column('text')
  event!: string;

  @Column('jsonb')
  body!: object;

  @Column('timestamptz', { nullable: true })
  delivered_at!: Date | null;
}

export const SHOP_TABLES = [
  ...[ShopMerchant, ShopApiKey],
  ...[ShopPayment, ShopIdempotencyKey, ShopOutboxRow],
];
