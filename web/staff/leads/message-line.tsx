import type { Lead } from '../../../events/lead/wire.ts'
import { colour } from '../../ui/theme.ts'
import { isWebsiteInfo } from './text.ts'
import { answersInShort } from './words.tsx'

/** More than two lines hold nowhere, in UTF-16 code units: the whole of a long text is not laid out for that. */
const MAX_CHARACTERS = 400

/**
 * The first words of what the visitor wrote, in UTF-16 code units at most: of a questionnaire of its answers, as its message
 * is made of them. Empty where they wrote nothing.
 */
export const firstWords = (lead: Lead, maxCharacters: number): string =>
  ((isWebsiteInfo(lead) ? answersInShort(lead) : lead.message) ?? '').slice(0, maxCharacters)

/** The first two lines of what the visitor wrote. */
export const MessageLine = ({ lead, as: Line = 'p' }: { lead: Lead; as?: 'p' | 'span' }) => {
  const text = firstWords(lead, MAX_CHARACTERS)
  if (!text) return null
  return (
    <Line
      dir="auto"
      css={{
        display: '-webkit-box',
        flexBasis: '100%',
        overflow: 'hidden',
        overflowWrap: 'anywhere',
        color: colour.ink,
        // under the name, whichever way its letters run
        textAlign: 'left',
        WebkitBoxOrient: 'vertical',
        WebkitLineClamp: 2,
      }}
    >
      {text}
    </Line>
  )
}
