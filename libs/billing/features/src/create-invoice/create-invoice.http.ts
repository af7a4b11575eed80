import { Body, Controller, Res } from '@nestjs/common';
import {
  createInvoice,
  createMyInvoice,
  type CreateInvoiceBody,
  type InvoiceAnswer,
  type RequestContext,
} from '@tender/contracts';
import { Caller, Serves } from '@tender/http';
import type { FastifyReply } from 'fastify';
import { CreateInvoice } from './create-invoice';

@Controller()
export class CreateInvoiceHttp {
  constructor(private readonly invoices: CreateInvoice) {}

  @Serves(createInvoice)
  create(
    @Caller() caller: RequestContext,
    @Body() body: CreateInvoiceBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<InvoiceAnswer> {
    return this.invoices.create(caller, body, reply);
  }

  @Serves(createMyInvoice)
  createMine(
    @Caller() caller: RequestContext,
    @Body() body: CreateInvoiceBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<InvoiceAnswer> {
    return this.invoices.create(caller, body, reply);
  }
}
