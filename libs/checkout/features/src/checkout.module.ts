import { Module } from '@nestjs/common';
import { CustomerFormHttp } from './answer-form/customer-form.http';
import { LinkFormHttp } from './answer-form/link-form.http';
import { PlanFormHttp } from './answer-form/plan-form.http';
import { PageAssetHttp } from './serve-page/page-asset.http';
import { LinkPageHttp } from './serve-page/link-page.http';
import { PaymentPageHttp } from './serve-page/payment-page.http';
import { PlanPageHttp } from './serve-page/plan-page.http';
import { CheckoutPages } from './serve-page/checkout-pages';

@Module({
  controllers: [
    ...[LinkPageHttp, PaymentPageHttp, LinkFormHttp, CustomerFormHttp, PageAssetHttp],
    ...[PlanPageHttp, PlanFormHttp],
  ],
  providers: [CheckoutPages],
})
export class CheckoutModule {}
