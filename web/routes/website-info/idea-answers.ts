import type { WebsiteInfo } from '../../../events/lead/website-info.ts'
import type { Idea } from '../../content/idea.ts'
import { TRADES } from '../../content/preview.ts'
import { PALETTES, paletteAnswer } from '../../content/questionnaire.ts'

/** The answers that follow from the visitor's choices in the preview of the home page. */
export const answersOfIdea = (idea: Idea | undefined): Partial<Record<keyof WebsiteInfo, string>> => {
  if (!idea) return {}
  const schemaType = TRADES.find(({ name }) => name === idea.trade)?.schemaType
  const palette = PALETTES.find(({ name }) => name === idea.palette)
  return {
    ...(idea.name && { businessName: idea.name }),
    ...(palette && { brandColorsSelect: paletteAnswer(palette) }),
    ...(schemaType && { schemaType }),
  }
}
