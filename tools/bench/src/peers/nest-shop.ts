import 'reflect-metadata';
import { randomBytes, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { Module, ValidationPipe, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import { sha256, ShopKeyGuard, ShopPayments } from './shop-payments';
import { SHOP_TABLES, ShopApiKey, ShopMerchant } from './shop-tables';
import { deliverOutbox } from './shop-webhooks';

// The same job as a usual team writes it with Nest: a guard, a validation pipe, a transaction for each request, an
// outbox. It imports nothing of the product.
const POOL = 20;
const WALLET = '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK';

@Module({})
class Shop {
  static with(database: DataSource): DynamicModule {
    const providers = [{ provide: DataSource, useValue: database }, ShopKeyGuard];
    return { module: Shop, controllers: [ShopPayments], providers };
  }
}

async function main(): Promise<void> {
  const database = await new DataSource({
    ...{ type: 'postgres', url: process.env['BENCH_DATABASE'] as string, poolSize: POOL },
    ...{ entities: SHOP_TABLES, synchronize: true },
  }).initialize();
  const api_key = `shop_${randomBytes(32).toString('hex')}`;
  const webhook_secret = randomBytes(32).toString('hex');
  const merchant = {
    ...{ id: randomUUID(), wallet: WALLET, webhook_secret },
    webhook_url: process.env['BENCH_WEBHOOK'] as string,
  };
  await database.getRepository(ShopMerchant).insert(merchant);
  await database.getRepository(ShopApiKey).insert({ hash: sha256(api_key), merchant });
  const app = await NestFactory.create<NestFastifyApplication>(
    Shop.with(database),
    new FastifyAdapter(),
    { logger: ['error'] },
  );
  app.useGlobalPipes(new ValidationPipe({ whitelist: true, transform: true }));
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  process.send?.({ url: `http://127.0.0.1:${port}`, api_key, webhook_secret });
  await deliverOutbox(database);
}

process.on('disconnect', () => process.exit(0));
void main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
