import { Body, Controller, Inject } from '@nestjs/common';
import { readRates, setRates, type RatesAnswer, type RatesBody } from '@tender/contracts';
import { RATE_SYMBOLS, type SettableRates } from '@tender/eventing';
import { RATE_TABLE, Serves } from '@tender/http';
import { decimalOf, formatUnits } from '@tender/kernel';

@Controller()
export class RatesHttp {
  constructor(@Inject(RATE_TABLE) private readonly rates: SettableRates) {}

  @Serves(readRates)
  async read(): Promise<RatesAnswer> {
    const table = await this.rates.table();
    const entries = RATE_SYMBOLS.map((symbol) => [symbol, Number(table[symbol])]);
    return Object.fromEntries(entries) as RatesAnswer;
  }

  /** Symbols that are left out keep their rate. */
  @Serves(setRates)
  async set(@Body() body: RatesBody): Promise<RatesAnswer> {
    const changes = RATE_SYMBOLS.flatMap((symbol) => {
      const rate = body[symbol];
      return typeof rate === 'number' ? [[symbol, exactText(rate)]] : [];
    });
    await this.rates.set(Object.fromEntries(changes));
    return this.read();
  }
}

function exactText(rate: number): string {
  const { units, scale } = decimalOf(rate);
  return formatUnits(units, scale);
}
