import { Controller, Inject, Param } from '@nestjs/common';
import { getPaymentStatus, type PaymentStatusAnswer } from '@tender/contracts';
import { notFound, Serves } from '@tender/http';
import { PaymentStatuses } from './payment-statuses';

@Controller()
export class GetPaymentStatusHttp {
  constructor(@Inject(PaymentStatuses) private readonly statuses: PaymentStatuses) {}

  /** Public: id, status and signature, and nothing else of the payment (S19). */
  @Serves(getPaymentStatus)
  get(@Param('id') id: string): PaymentStatusAnswer | Promise<PaymentStatusAnswer> {
    return this.statuses.peek(id)?.answer ?? this.find(id);
  }

  private async find(id: string): Promise<PaymentStatusAnswer> {
    const known = await this.statuses.find(id);
    if (!known) throw notFound();
    return known.answer;
  }
}
