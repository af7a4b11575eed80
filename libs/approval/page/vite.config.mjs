// What browsers load of the approval origin; the set-up page loads the script that makes keys when it is needed.
import { pagesBuild } from '../../page/vite-pages.mjs';

export default pagesBuild({
  root: import.meta.dirname,
  folder: 'served',
  base: '/assets/',
  pages: {
    'manifest.json': ['src/browser/main.tsx', 'src/style.css'],
    'approve-manifest.json': ['src/browser/approve.tsx'],
  },
});
