import { keyframes } from '@emotion/react'
import { colour, withMotion } from './theme.ts'

const slowDown = keyframes({ from: { rotate: '-540deg' } })

const RIDGE =
  'M0 151c60-2 110-4 160-3l52-31c8-5 17-7 28-7l92-2c10 0 18 4 25 10l38 28c46 3 76 2 108 1l46-37c8-6 18-6 26 1l24 22 40-42c8-8 20-8 28 1l38 40 32-29c8-6 18-5 26 2l41 41c60 4 120 2 190 2s170 2 240-2l52-21c10-4 22-5 34-5l66-2c12 0 24 4 54 12'
const TOWER = 'M1010 58l-19 92M1010 58l19 92M1004 88l18 28-25 20M1016 88l-18 28 25 20'
const VANE = 'M1010 54h34l10-9v18l-10-9'

/**
 * The agency's signature: the line of the Karoo with koppies, a windpump and the setting sun. It takes the colour of
 * the text around it and any width; narrow windows show its middle. The wheel turns once.
 */
export const Horizon = () => (
  <svg
    viewBox="0 26 1440 154"
    preserveAspectRatio="xMidYMax slice"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.75"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    css={{ width: '100%', height: 'max(5.25rem, 10.7vw)', '& path': { vectorEffect: 'non-scaling-stroke' } }}
  >
    <path d="M832 148a46 46 0 0 1 92 0z" fill={colour.sun} stroke="none" />
    <path d={RIDGE} />
    <path d={TOWER} />
    <path d={VANE} />
    {/* the blades are the dashes of a thick ring */}
    <circle
      cx="1010"
      cy="54"
      r="12"
      strokeWidth="15"
      strokeDasharray="3 3.28"
      strokeLinecap="butt"
      css={{ transformOrigin: '1010px 54px', [withMotion]: { animation: `${slowDown} 4.5s cubic-bezier(.1,.6,.2,1)` } }}
    />
  </svg>
)
