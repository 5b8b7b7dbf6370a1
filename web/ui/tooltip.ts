import type { CSSObject } from '@emotion/react'
import { colour, radius } from './theme.ts'

const OPEN_DELAY_MS = 700
const SKIP_DELAY_MS = 300

/**
 * Tooltips without script: an element with `data-tip` shows that text on hover, or at once on keyboard focus. The first
 * one waits 700 ms; after that the others open at once, until the pointer has left all of them for 300 ms
 * (specification, 9). The element's name or description says the same. No element has a `title`, because browsers show
 * it with a delay of their own.
 */
export const tooltipStyles = {
  '@property --tip': { syntax: '"<number>"', inherits: 'true', initialValue: '0' },
  ':root': { '--tip': '0', transition: `--tip 0s ${SKIP_DELAY_MS}ms` },
  ':root:has([data-tip]:hover)': { '--tip': '1', transition: `--tip 0s ${OPEN_DELAY_MS}ms` },
  '[data-tip]::after': {
    content: 'attr(data-tip)',
    position: 'absolute',
    top: '50%',
    right: 'calc(100% + 0.625rem)',
    padding: '0.25rem 0.625rem',
    borderRadius: radius.control,
    background: colour.ink,
    color: colour.onInk,
    fontSize: '0.875rem',
    fontWeight: 500,
    lineHeight: 1.5,
    whiteSpace: 'nowrap',
    translate: '0 -50%',
    opacity: 0,
    pointerEvents: 'none',
  },
  '@media (hover: hover)': { '[data-tip]:hover::after': { opacity: 'var(--tip)' } },
  '[data-tip]:focus-visible::after': { opacity: 1 },
} as const

const GAP = '0.375rem'

/** Gives an element with `tipAbove` its tooltip, which screen readers read as its description. */
export const tipped = (tip: string) => ({ 'data-tip': tip, 'aria-description': tip })

/**
 * Places the tooltip above its element from the left edge on, or elsewhere next to it if the window ends before;
 * browsers without anchors always place it above. It takes no room until it shows, because the page would scroll
 * sideways.
 */
export const tipAbove: CSSObject = {
  position: 'relative',
  '&&::after': { top: 'auto', right: 'auto', bottom: `calc(100% + ${GAP})`, left: 0, zIndex: 1, translate: 'none' },
  '&&:not(:hover, :focus-visible)::after': { display: 'none' },
  '@supports (anchor-scope: --tip)': {
    anchorName: '--tip',
    anchorScope: '--tip',
    '&&::after': {
      position: 'fixed',
      inset: 'auto',
      width: 'max-content',
      maxWidth: 'min(24rem, 100vw - 2rem)',
      margin: `${GAP} 0`,
      whiteSpace: 'normal',
      positionAnchor: '--tip',
      positionArea: 'top span-right',
      positionTryFallbacks: 'flip-inline, flip-block, flip-block flip-inline',
    },
  },
}
