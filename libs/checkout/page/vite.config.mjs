// What browsers load of the checkout; the one style is written into every page by the server.
import { pagesBuild } from '../../page/vite-pages.mjs';

export default pagesBuild({
  root: import.meta.dirname,
  folder: 'browser',
  base: '/checkout/assets/',
  pages: {
    'manifest.json': ['src/browser/main.tsx', 'src/style.css'],
    'plan-manifest.json': ['src/browser/subscribe.ts'],
  },
});
