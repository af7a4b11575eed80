import { paymentMessage } from './payment-message';
import { TOKEN_PROGRAM } from './programs';
import { freshTestWallet } from './testing';

test('a message that the chain would not read is not made: a program pays no fee', () => {
  const address = () => freshTestWallet().address;
  const token = {
    ...{ mint: address(), decimals: 6, source: address(), destination: address() },
    create_destination: false,
  };
  const paidBy = (payer: string) =>
    paymentMessage({
      ...{ customer: payer, fee_payer: payer, recipient: address(), reference: address(), token },
      ...{ amount: 1n, recent_blockhash: address() },
      compute: { unit_limit: 60_000, unit_price: 0n },
    });
  expect(paidBy(address()).length).toBeGreaterThan(0);
  expect(() => paidBy(TOKEN_PROGRAM)).toThrow('no program');
});
