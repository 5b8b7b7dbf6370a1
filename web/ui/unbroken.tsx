import { Fragment } from 'react'

/** A word with a hyphen or dash inside, such as once-off or 2–14, with its attached punctuation. */
const HYPHENATED = /(\S*\w[-–]\w\S*)/

/** A text whose hyphenated words and ranges stay on one line. */
export const Unbroken = ({ children }: { children: string }) =>
  children.split(HYPHENATED).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text's words have no other name
      <span key={index} css={{ whiteSpace: 'nowrap' }}>
        {part}
      </span>
    ) : (
      part && (
        // biome-ignore lint/suspicious/noArrayIndexKey: a text's words have no other name
        <Fragment key={index}>{part}</Fragment>
      )
    ),
  )
