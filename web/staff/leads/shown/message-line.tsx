import type { Lead } from '../../../../events/lead/wire.ts'
import { colour } from '../../../ui/theme.ts'
import { isWebsiteInfo } from '../contact/lead-text.ts'
import { answersInShort } from './lead-message.tsx'

/** More than fits on two lines, in UTF-16 code units: it avoids the layout of a long text. */
const MAX_CHARACTERS = 400

/**
 * The beginning of the visitor's message, in UTF-16 code units at most; for a questionnaire, of its answers, because
 * its message is made of them. Empty if they wrote nothing.
 */
export const firstWords = (lead: Lead, maxCharacters: number): string =>
  ((isWebsiteInfo(lead) ? answersInShort(lead) : lead.message) ?? '').slice(0, maxCharacters)

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
        // below the name, in left-to-right and right-to-left text
        textAlign: 'left',
        WebkitBoxOrient: 'vertical',
        WebkitLineClamp: 2,
      }}
    >
      {text}
    </Line>
  )
}
