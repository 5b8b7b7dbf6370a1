import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { space } from '../../../ui/theme.ts'

/** The shown part of a long text, in UTF-16 code units; one that is not much longer is shown whole. */
const SHOWN_CHARACTERS = 800
/** The same next to other content that has to be in sight. */
const BRIEF_CHARACTERS = 400
/** A text up to this many times as long is shown whole. */
const MAX_WHOLE = 1.5

const beginningOf = (text: string, length: number) => text.slice(0, length).replace(/[\ud800-\udbff]$/, '')

/** A text that may be several screens long: its beginning, and all of it on request. */
export const LongText = (props: { text: string; kind: 'message' | 'note' | 'answer'; isBrief?: boolean }) => {
  const { text, kind, isBrief = false } = props
  const shown = isBrief ? BRIEF_CHARACTERS : SHOWN_CHARACTERS
  const [isWhole, setWhole] = useState(false)
  if (text.length <= shown * MAX_WHOLE) return text
  return (
    <>
      {isWhole ? text : `${beginningOf(text, shown)}…`}
      <Button
        look="quiet"
        aria-expanded={isWhole}
        onClick={() => setWhole(!isWhole)}
        css={{ display: 'flex', marginTop: space.tight }}
      >
        {isWhole ? `Shorten the ${kind}` : `Show the whole ${kind}`}
      </Button>
    </>
  )
}
