import { once } from 'node:events';
import PDFDocument from 'pdfkit';

const REGULAR = require.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf');
const BOLD = require.resolve('@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf');

/** Points: 72 to an inch. */
export const MARGIN = 56;
const A4 = { width: 595.28, height: 841.89 };
export const LEFT = MARGIN;
export const RIGHT = A4.width - MARGIN;
export const WIDTH = RIGHT - LEFT;
/** Below it there is only the foot of the page. */
export const BOTTOM = A4.height - MARGIN - 28;

export interface TextStyle {
  readonly size?: number;
  readonly bold?: boolean;
  readonly color?: string;
  readonly width?: number;
  readonly align?: 'left' | 'right';
}

export const INK = '#1a1a1a';
export const GREY = '#5c5c5c';

/**
 * Without decomposing letters: the font would draw ọ̀ from three glyphs that other letters use too, and whoever copies
 * the text would get other letters.
 */
const FEATURES = { ccmp: false } as unknown as PDFKit.Mixins.OpenTypeFeatures[];

/** What a PDF says of itself. */
export interface AboutSheet {
  readonly title: string;
  readonly author: string;
  readonly language: string;
  /** ISO 8601. */
  readonly at: string;
}

// A fixed time as the library takes it: no clock is asked.
// eslint-disable-next-line no-restricted-globals
const dateOf = (time: string): Date => new Date(time);

/** Pages of A4 that are drawn from above to below. The same drawing gives the same bytes. */
export class Sheet {
  readonly pdf: PDFKit.PDFDocument;
  y = MARGIN;

  constructor({ title, author, language, at }: AboutSheet) {
    this.pdf = new PDFDocument({
      ...{ size: 'A4', margin: 0, bufferPages: true, lang: language, displayTitle: true },
      info: { Title: title, Author: author, CreationDate: dateOf(at), ModDate: dateOf(at) },
    });
    this.pdf.registerFont('regular', REGULAR).registerFont('bold', BOLD);
  }

  /** Answers how high it is. Draws nothing further down than the page. */
  text(text: string, x: number, y: number, style: TextStyle = {}): number {
    const { color = INK, width = RIGHT - x, align = 'left' } = style;
    const height = this.heightOf(text, { ...style, width });
    this.pdf.fillColor(color).text(text.normalize('NFC'), x, y, { width, align, features: FEATURES });
    return height;
  }

  heightOf(text: string, { size = 10, bold = false, width = WIDTH }: TextStyle): number {
    this.pdf.font(bold ? 'bold' : 'regular').fontSize(size);
    return this.pdf.heightOfString(text.normalize('NFC'), { width, features: FEATURES });
  }

  line(y: number, color = '#c8c8c8'): void {
    this.pdf.moveTo(LEFT, y).lineTo(RIGHT, y).lineWidth(0.75).strokeColor(color).stroke();
  }

  /** Goes on at the top of the next page where that does not fit below `y`; answers whether it did. */
  room(height: number): boolean {
    if (this.y + height <= BOTTOM) return false;
    this.pdf.addPage();
    this.y = MARGIN;
    return true;
  }

  /** `foot` is drawn on each page, once it is known how many there are. */
  async bytes(foot: (page: number, pages: number) => void): Promise<Buffer> {
    const { count } = this.pdf.bufferedPageRange();
    for (let page = 0; page < count; page += 1) {
      this.pdf.switchToPage(page);
      foot(page + 1, count);
    }
    const chunks: Buffer[] = [];
    this.pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    const ended = once(this.pdf, 'end');
    this.pdf.end();
    await ended;
    return Buffer.concat(chunks);
  }
}
