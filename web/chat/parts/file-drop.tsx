import { type ClipboardEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { colour, radius, space } from '../../ui/theme.ts'

const holdsFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false

/** Shows over a chat that the held files can be dropped. */
const DropSign = () => (
  <div
    css={{
      display: 'grid',
      position: 'absolute',
      inset: space.tight,
      zIndex: 6,
      placeItems: 'center',
      border: `2px dashed ${colour.accent}`,
      borderRadius: radius.card,
      background: colour.accentWash,
      color: colour.accentDeep,
      fontWeight: 600,
      pointerEvents: 'none',
    }}
  >
    Drop to send
  </div>
)

/**
 * Accepts files dropped on its content, and shows so while some are held over it. Without `onFiles` they are not
 * accepted, but the browser does not leave the page for them either.
 */
export const FileDrop = (props: { onFiles: ((files: File[]) => void) | undefined; children: ReactNode }) => {
  const area = useRef<HTMLDivElement>(null)
  const [isOver, setIsOver] = useState(false)
  const taker = useEffectEvent(() => props.onFiles)
  useEffect(() => {
    const element = area.current
    if (!element) return
    const leaving = new AbortController()
    const { signal } = leaving
    const over = (event: DragEvent) => {
      if (!holdsFiles(event)) return
      event.preventDefault()
      if (event.dataTransfer) event.dataTransfer.dropEffect = taker() ? 'copy' : 'none'
      setIsOver(taker() !== undefined)
    }
    const leave = ({ relatedTarget }: DragEvent) => {
      if (!(relatedTarget instanceof Node && element.contains(relatedTarget))) setIsOver(false)
    }
    const drop = (event: DragEvent) => {
      if (!holdsFiles(event)) return
      event.preventDefault()
      setIsOver(false)
      taker()?.([...(event.dataTransfer?.files ?? [])])
    }
    element.addEventListener('dragover', over, { signal })
    element.addEventListener('dragleave', leave, { signal })
    element.addEventListener('drop', drop, { signal })
    return () => leaving.abort()
  }, [])
  return (
    <div
      ref={area}
      css={{ display: 'flex', flex: 1, flexDirection: 'column', position: 'relative', minWidth: 0, minHeight: 0 }}
    >
      {props.children}
      {isOver && <DropSign />}
    </div>
  )
}

/** Accepts pasted files, such as a screenshot; text is pasted as usual. */
export const pastedFiles = (event: ClipboardEvent, onFiles: ((files: File[]) => void) | undefined) => {
  const files = [...event.clipboardData.files]
  if (files.length === 0 || !onFiles) return
  event.preventDefault()
  onFiles(files)
}
