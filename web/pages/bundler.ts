import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { InlineConfig } from 'vite'

export const webFolder = fileURLToPath(new URL('..', import.meta.url))
/** The folder into which they are built. */
export const distFolder = fileURLToPath(new URL('../dist', import.meta.url))

/** Settings shared by the build and the development server. */
export const bundler: InlineConfig = {
  root: webFolder,
  configFile: false,
  publicDir: 'public',
  cacheDir: fileURLToPath(new URL('../../node_modules/.cache/vite', import.meta.url)),
  plugins: [react({ jsxImportSource: '@emotion/react' })],
}
