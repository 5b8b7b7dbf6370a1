import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { space } from '../../ui/theme.ts'

/** How much of a long text is shown, in UTF-16 code units; one that is not much longer is shown whole. */
const SHOWN_CHARACTERS = 800
/** The same where other things have to be in sight too. */
const BRIEF_CHARACTERS = 400
/** How many times as long a text may be that is shown whole. */
const MAX_WHOLE = 1.5

const beginningOf = (text: string, length: number) => text.slice(0, length).replace(/[\ud800-\udbff]$/, '')

/** A text that may go on over screens: the beginning of it, and all of it once that is asked for. */
export const LongText = (props: { text: string; what: 'message' | 'note' | 'answer'; isBrief?: boolean }) => {
  const { text, what, isBrief = false } = props
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
        {isWhole ? `Shorten the ${what}` : `Show the whole ${what}`}
      </Button>
    </>
  )
}
