import { encodeQR } from 'qr';

/** Dark modules side by side. */
export interface QrRun {
  readonly from: number;
  readonly width: number;
}

/** A text's QR code, without the light edge that it must have around it. */
export interface QrCode {
  /** Modules of a side. */
  readonly size: number;
  /** Of each row, from left to right. */
  readonly rows: readonly (readonly QrRun[])[];
}

/** Read also where about a seventh of its data is hidden (level M). */
export function qrCode(text: string): QrCode {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: 1 })
    .slice(1, -1)
    .map((row) => row.slice(1, -1));
  return { size: modules.length, rows: modules.map(darkRuns) };
}

function darkRuns(row: readonly boolean[]): readonly QrRun[] {
  const runs: QrRun[] = [];
  for (let at = 0; at < row.length; at += 1) {
    if (!row[at]) continue;
    const from = at;
    while (row[at + 1]) at += 1;
    runs.push({ from, width: at + 1 - from });
  }
  return runs;
}
