const ADDRESS = /https?:\/\/[^\s<>"]+/gi
/** The characters that end a sentence after an address, and are not part of it. */
const AFTER_ADDRESS = /[.,;:!?'’”)\]}]+$/

// some visitors' browsers are older than `URL.canParse`
const isAddress = (text: string) => {
  try {
    return Boolean(new URL(text))
  } catch {
    return false
  }
}

type Part = { at: number; text: string; isLink: boolean }

/** Splits the text into web addresses and the rest. */
export const partsOf = (text: string): Part[] => {
  const parts: Part[] = []
  let done = 0
  const add = (end: number, isLink: boolean) => {
    if (end > done) parts.push({ at: done, text: text.slice(done, end), isLink })
    done = end
  }
  for (const { 0: match, index } of text.matchAll(ADDRESS)) {
    const address = match.replace(AFTER_ADDRESS, '')
    if (!isAddress(address)) continue
    add(index, false)
    add(index + address.length, true)
  }
  add(text.length, false)
  return parts
}

/**
 * A message's text with its web addresses (http and https only) as links. A link opens a new tab, which gets no
 * reference to this page.
 */
export const LinkedText = ({ text }: { text: string }) =>
  partsOf(text).map((part) =>
    part.isLink ? (
      <a
        key={part.at}
        href={part.text}
        target="_blank"
        rel="noopener noreferrer nofollow"
        css={{ color: 'inherit', textDecoration: 'underline', ':hover': { color: 'inherit' } }}
      >
        {part.text}
      </a>
    ) : (
      part.text
    ),
  )
