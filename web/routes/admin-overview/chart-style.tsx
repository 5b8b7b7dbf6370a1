import type { ReactNode } from 'react'
import { colour, radius, shadow, space, type } from '../../ui/theme.ts'

const mixed = (of: string, percent: number) => `color-mix(in oklab, ${of} ${percent}%, ${colour.sheet})`

/**
 * The shades of a chart, the strongest first: they differ in lightness, so that they can be distinguished without colour
 * too.
 */
export const SHADES = [
  colour.accentDeep,
  mixed(colour.accentDeep, 65),
  mixed(colour.accentDeep, 35),
  mixed(colour.soft, 30),
] as const

export const [DARKEST] = SHADES

export const axis = { axisLine: false, tickLine: false, tick: { fill: colour.soft, fontSize: 13 } } as const

export const grid = { stroke: colour.line, vertical: false } as const

/** The background of the element under the pointer. */
export const cursor = { fill: colour.sunk }

export const Tip = ({ title, children }: { title: string; children: ReactNode }) => (
  <div
    css={{
      padding: `${space.tight} ${space.snug}`,
      border: `1px solid ${colour.line}`,
      borderRadius: radius.control,
      background: colour.sheet,
      boxShadow: shadow.floating,
      fontSize: type.small,
    }}
  >
    <p css={{ fontWeight: 600 }}>{title}</p>
    {children}
  </div>
)
