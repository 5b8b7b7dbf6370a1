import { expect, test } from 'vitest'
import type { Palette } from '../ui/theme.ts'
import { DARK, LIGHT } from './look.ts'

/** The WCAG 2.2 contrast of two colours, 1 to 21. */
const contrastOf = (one: string, other: string) => {
  const luminanceOf = (hex: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const [light = 0, dark = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

type Name = keyof Palette

const GROUNDS: Name[] = ['paper', 'sheet', 'sunk', 'accentWash']
const TEXTS: Record<string, Name[]> = {
  ink: GROUNDS,
  soft: GROUNDS,
  accent: GROUNDS,
  accentDeep: GROUNDS,
  bad: [...GROUNDS, 'badWash'],
  good: [...GROUNDS, 'goodWash'],
  clay: [...GROUNDS, 'clayWash'],
  onAccent: ['accent', 'accentDeep'],
  onInk: ['ink'],
  onInkSoft: ['ink'],
  onNight: ['night'],
  onNightSoft: ['night'],
}

test.each(Object.entries({ LIGHT, DARK }))('%s: texts have 4.5:1 on their grounds, control edges 3:1', (_, palette) => {
  const tooLow = (pairs: Record<string, Name[]>, least: number) =>
    Object.entries(pairs).flatMap(([name, grounds]) =>
      grounds.flatMap((ground) => {
        const contrast = contrastOf(palette[name as Name], palette[ground])
        return contrast < least ? [`${name} on ${ground}: ${contrast.toFixed(2)}`] : []
      }),
    )
  expect(tooLow(TEXTS, 4.5)).toEqual([])
  expect(tooLow({ edge: ['paper', 'sheet', 'sunk'], accent: ['paper', 'sheet'] }, 3)).toEqual([])
})
