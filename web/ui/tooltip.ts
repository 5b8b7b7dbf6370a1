import type { CSSObject } from '@emotion/react'
import { colour, radius } from './theme.ts'

const OPEN_DELAY_MS = 700
const SKIP_DELAY_MS = 300

/**
 * Tooltips without script: an element with `data-tip` shows that text when it is pointed at, or at once when the keyboard
 * reaches it. The first one waits 700 ms; once one was open the others of the page open at once, until the pointer has been
 * away from all of them for 300 ms (specification, 9). The name or the description of the element says the same. No element
 * has a `title`: browsers show that on a clock of their own.
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

/** Gives an element with `tipAbove` its tooltip, which a screen reader hears as the element's description. */
export const tipped = (tip: string) => ({ 'data-tip': tip, 'aria-description': tip })

/**
 * Puts the tooltip of an element above it, from its left edge on, or elsewhere beside it where the window ends before; a
 * browser without anchors has it above. It takes no room until it shows: the page would scroll sideways.
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
