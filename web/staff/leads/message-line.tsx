import type { Lead } from '../../../events/wire/lead.ts'
import { colour } from '../../ui/theme.ts'
import { isWebsiteInfo } from './text.ts'
import { answersInShort } from './words.tsx'

/** More than two lines hold nowhere, in UTF-16 code units: the whole of a long text is not laid out for that. */
const MAX_CHARACTERS = 400

/** The first two lines of what the visitor wrote: of a questionnaire of its answers, as its message is made of them. */
export const MessageLine = ({ lead, as: Line = 'p' }: { lead: Lead; as?: 'p' | 'span' }) => {
  const text = isWebsiteInfo(lead) ? answersInShort(lead) : lead.message
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
      {text.slice(0, MAX_CHARACTERS)}
    </Line>
  )
}
