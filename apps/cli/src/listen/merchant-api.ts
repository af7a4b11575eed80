import { request } from 'undici';
import { configureWebhook, testWebhook, type Route, type WebhookConfigurationAnswer } from '@tender/contracts';
import { CommandFault } from '../faults';

const DEADLINE_MS = 30_000;

/** What the public API says of a fault. */
interface Said extends Partial<WebhookConfigurationAnswer> {
  readonly error?: string;
  readonly code?: string;
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

  /** Answers when the URL that is set has taken a test event or failed to; false: none is set. */
  async sendTestEvent(): Promise<boolean> {
    const { status, said, retry_after } = await this.ask(testWebhook);
    if (status === 200) return true;
    if (said.code === 'webhook_not_configured') return false;
    throw this.refused(status, said.error, retry_after);
  }

  private async configure(webhook_url: string | null): Promise<Said> {
    const { status, said, retry_after } = await this.ask(configureWebhook, { webhook_url });
    if (status === 200) return said;
    throw this.refused(status, said.error, retry_after);
  }

  private async ask({ method, path }: Pick<Route, 'method' | 'path'>, asked?: object) {
    const type = asked && { 'content-type': 'application/json' };
    const { statusCode, headers, body } = await request(new URL(path, this.url), {
      method,
      headers: { authorization: `Bearer ${this.key}`, ...type },
      body: asked ? JSON.stringify(asked) : null,
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
    return { status: statusCode, said, retry_after: headers['retry-after'] };
  }

  private refused(status: number, reason = 'no reason', retry_after: unknown): CommandFault {
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
