import { request } from 'undici';
import { configureWebhook, type WebhookConfigurationAnswer } from '@tender/contracts';
import { CommandFault } from '../faults';

const DEADLINE_MS = 30_000;

/** What the public API says of a fault. */
interface Said extends Partial<WebhookConfigurationAnswer> {
  readonly error?: string;
}

/** A merchant's webhook URL, by the public API. Every fault is a `CommandFault` with the way out. */
export class MerchantApi {
  constructor(
    readonly url: string,
    private readonly key: string,
  ) {}

  /** Answers the new secret. */
  async sendWebhooksTo(webhook_url: string): Promise<string> {
    const secret = (await this.configure(webhook_url)).webhook_secret;
    if (secret === undefined) throw this.isNotTender();
    return secret;
  }

  async turnWebhooksOff(): Promise<void> {
    await this.configure(null);
  }

  private async configure(webhook_url: string | null): Promise<Said> {
    const { method, path } = configureWebhook;
    const { statusCode, headers, body } = await request(new URL(path, this.url), {
      method,
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ webhook_url }),
      signal: AbortSignal.timeout(DEADLINE_MS),
      // A connection that waits for another request would keep the process from ending.
      reset: true,
    }).catch((error: NodeJS.ErrnoException) => {
      throw new CommandFault(
        `Tender does not answer at ${this.url} (${error.code ?? error.message}). Start it (npm start), ` +
          'or name its address with --url.',
      );
    });
    const said = (await body.json().catch(() => {
      throw this.isNotTender();
    })) as Said;
    if (statusCode === 200) return said;
    throw this.refused(statusCode, said.error ?? 'no reason', headers['retry-after']);
  }

  private refused(status: number, reason: string, retry_after: unknown): CommandFault {
    switch (status) {
      case 400:
        return new CommandFault(
          `This Tender sends no webhooks to this machine (${reason}). Start it with WEBHOOK_ALLOW_LOOPBACK=true.`,
        );
      case 401:
        return new CommandFault(
          `Tender at ${this.url} refuses this key. Give a test key of a merchant there with --key or TENDER_API_KEY.`,
        );
      case 429:
        return new CommandFault(`Tender has had too many requests. Try again in ${String(retry_after)} s.`);
      default:
        return new CommandFault(`Tender at ${this.url} answered ${status}: ${reason}`);
    }
  }

  private isNotTender(): CommandFault {
    return new CommandFault(`What answers at ${this.url} is not Tender. Name its address with --url.`);
  }
}
