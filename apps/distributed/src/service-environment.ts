import { childEnvironment } from '@tender/kernel';
import { GATEWAY, serviceOf } from '@tender/contracts';
import { SIGNER_CERTIFICATE_SETTINGS, SIGNER_SETTINGS } from '@tender/runtime';

/** What an operator may set for every service; what this program sets itself is not among it. */
const OF_SERVICES = [
  ...['LOG_LEVEL', 'MASTER_KEY', 'PAYMENT_LIFETIME_SECONDS'],
  ...['SOLANA_RPC_URL_TEST', 'SOLANA_RPC_URL_LIVE', 'SOLANA_GENESIS_LIVE'],
  ...['USDC_MINT_TEST', 'USDT_MINT_TEST', 'USDC_MINT_LIVE', 'USDT_MINT_LIVE'],
  ...['KAFKA_NAMESPACE', 'KAFKA_USERNAME', 'KAFKA_PASSWORD', 'KAFKA_SASL_MECHANISM', 'KAFKA_SSL'],
];

/** The services that write to people have the login of the mail server. */
const MAIL_SETTINGS = ['SMTP_URL', 'SMTP_REQUIRE_TLS', 'MAIL_FROM'];

/** What only some services read: no other knows where the keys of fee wallets are, or the login of the mail server. */
const OF_ONE: Readonly<Record<string, readonly string[]>> = {
  [GATEWAY]: MAIL_SETTINGS,
  [serviceOf('fraud')]: ['SANCTIONS_LIST'],
  [serviceOf('billing')]: MAIL_SETTINGS,
  [serviceOf('refunds-disputes')]: [...MAIL_SETTINGS, 'RATE_LIMITS'],
  [serviceOf('payments')]: ['LINK_USES_HELD_PER_ADDRESS'],
  [serviceOf('treasury')]: [
    ...['SPONSOR_KEY_FILE_TEST', 'SPONSOR_KEY_FILE_LIVE', 'SPONSOR_LAMPORTS_DAY'],
    ...['SPONSOR_PER_WALLET_DAY', 'SPONSOR_PER_IP_HOUR', 'SPONSOR_PER_MERCHANT_DAY'],
    ...['PAYOUT_FEE_KEY_FILE_TEST', 'PAYOUT_FEE_KEY_FILE_LIVE', 'PAYOUT_FEE_LAMPORTS_DAY'],
    ...[...SIGNER_SETTINGS, ...SIGNER_CERTIFICATE_SETTINGS],
  ],
};

/** The pages of the approval origin are no service: they know where the API is, and nothing of merchants. */
export const approvalEnvironment = (env: NodeJS.ProcessEnv): Record<string, string> =>
  childEnvironment(env, []);

/** What is for those who come from outside, and no business of the services behind. */
const OF_GATEWAYS = [
  ...['ADMIN_TOKEN', 'ADMIN_NETWORKS', 'SIGNUP_TOKEN', 'RATE_LIMITS', 'TEST_HELPERS'],
  ...['TRUSTED_PROXIES', 'STREAMS_PER_ADDRESS'],
];

/** For the program that a test starts in place of a service. */
const OF_TESTS = ['FAULT', 'FAULT_ONCE', 'HANGS'];

/** The collector of traces has settings of its own, which its library reads. */
const TRACING = /^OTEL_/;

/** Of the operator’s environment, what a service reads: not what else is in the shell. */
export function serviceEnvironment(
  env: NodeJS.ProcessEnv,
  service: string,
): Record<string, string> {
  return childEnvironment(env, [
    ...OF_SERVICES,
    ...(service === GATEWAY ? OF_GATEWAYS : []),
    ...(OF_ONE[service] ?? []),
    ...(env['SERVICE_MAIN'] ? OF_TESTS : []),
    ...Object.keys(env).filter((name) => TRACING.test(name)),
  ]);
}
