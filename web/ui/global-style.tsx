import { Global } from '@emotion/react'
import { colour, font, space, type, withMotion } from './theme.ts'
import { tooltipStyles } from './tooltip.ts'

/** The base style of every page: reset, text, links, focus. */
export const GlobalStyle = () => (
  <Global
    styles={{
      '*, *::before, *::after': { boxSizing: 'border-box' },
      html: { textSizeAdjust: '100%', WebkitTextSizeAdjust: '100%' },
      [withMotion]: {
        html: { scrollBehavior: 'smooth' },
        '[data-reveal]': { transition: 'opacity 500ms ease-out, translate 500ms ease-out' },
        '[data-reveal=waiting]': { opacity: 0, translate: '0 1.5rem' },
      },
      '@media print': {
        '[data-reveal=waiting]': { opacity: 1 },
        '[data-floats], [data-island=chat]': { display: 'none !important' },
      },
      // an icon goes with its words
      '@media (forced-colors: active)': { 'svg[stroke=currentColor]': { color: 'inherit !important' } },
      body: {
        margin: 0,
        background: colour.paper,
        color: colour.ink,
        fontFamily: font.text,
        fontSize: type.body,
        lineHeight: 1.6,
        WebkitFontSmoothing: 'antialiased',
      },
      'h1, h2, h3, p, ul, ol, dl, dd, figure, fieldset': { margin: 0, padding: 0 },
      'h1, h2, h3': { lineHeight: 1.12, letterSpacing: '-0.022em', fontWeight: 700, textWrap: 'balance' },
      'p, li, dd': { textWrap: 'pretty' },
      'ul, ol': { listStyle: 'none' },
      fieldset: { border: 0, minWidth: 0 },
      'img, svg': { display: 'block', maxWidth: '100%' },
      'button, input, select, textarea': { font: 'inherit', color: 'inherit' },
      // the label of a field that takes the focus stays in sight below the header
      'input, select, textarea': { scrollMarginTop: '3rem' },
      button: { cursor: 'pointer' },
      a: { color: colour.accent, textUnderlineOffset: '0.2em', textDecorationThickness: '1px' },
      'a:hover': { color: colour.accentDeep },
      ':focus-visible': { outline: `3px solid ${colour.accent}`, outlineOffset: 2, borderRadius: 2 },
      '::selection': { background: colour.accent, color: colour.onAccent },
      ...tooltipStyles,
      '[hidden]': { display: 'none !important' },
      '.skip': {
        position: 'absolute',
        left: space.base,
        top: '-6rem',
        zIndex: 60,
        padding: `${space.snug} ${space.base}`,
        background: colour.ink,
        color: colour.onInk,
      },
      '.skip:focus': { top: space.base, color: colour.onInk },
    }}
  />
)
