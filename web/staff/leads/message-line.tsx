import type { Lead } from '../../../events/wire/lead.ts'
import { colour } from '../../ui/theme.ts'
import { isWebsiteInfo } from './text.ts'

/** More than two lines hold nowhere, in UTF-16 code units: the whole of a long text is not laid out for that. */
const MAX_CHARACTERS = 400

/** The first two lines of what the visitor wrote. A questionnaire's message is made of its answers, and not shown. */
export const MessageLine = ({ lead }: { lead: Lead }) => {
  if (!lead.message || isWebsiteInfo(lead)) return null
  return (
    <p
      dir="auto"
      css={{
        display: '-webkit-box',
        flexBasis: '100%',
        overflow: 'hidden',
        overflowWrap: 'anywhere',
        color: colour.ink,
        WebkitBoxOrient: 'vertical',
        WebkitLineClamp: 2,
      }}
    >
      {lead.message.slice(0, MAX_CHARACTERS)}
    </p>
  )
}
