import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { space } from '../../ui/theme.ts'

/** So much of a long text is shown, in UTF-16 code units; one that is not much longer is shown whole. */
const SHOWN_CHARACTERS = 800
const MAX_WHOLE_CHARACTERS = 1_200

const beginningOf = (text: string) => text.slice(0, SHOWN_CHARACTERS).replace(/[\ud800-\udbff]$/, '')

/** A text that may go on over screens: the beginning of it, and all of it once that is asked for. */
export const LongText = ({ text, what }: { text: string; what: 'message' | 'note' }) => {
  const [isWhole, setWhole] = useState(false)
  if (text.length <= MAX_WHOLE_CHARACTERS) return text
  return (
    <>
      {isWhole ? text : `${beginningOf(text)}…`}
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
