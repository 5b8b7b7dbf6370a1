import type { ReactNode } from 'react'
import type { ChatFile } from '../../../events/chat/file.ts'
import { colour, space } from '../../ui/theme.ts'
import type { FileStore } from '../messaging/file-transfer.ts'
import { FileCard } from './file-card.tsx'
import { LinkedText } from './linked-text.tsx'

/** One message: its text as written, in any script, and below it its writer and its tick. */
export const Bubble = (props: {
  isOwn: boolean
  name: string
  text: string
  note?: ReactNode
  /** The file named by the text, and the location of the chat's files. */
  file?: ChatFile | undefined
  store: FileStore
  isBad?: boolean
  children?: ReactNode
}) => (
  <li
    css={{
      display: 'flex',
      flexDirection: 'column',
      alignItems: props.isOwn ? 'flex-end' : 'flex-start',
      maxWidth: '84%',
      alignSelf: props.isOwn ? 'flex-end' : 'flex-start',
    }}
  >
    <p
      dir="auto"
      css={{
        padding: `${space.tight} ${space.snug}`,
        borderRadius: props.isOwn ? '0.75rem 0.75rem 0.125rem 0.75rem' : '0.75rem 0.75rem 0.75rem 0.125rem',
        background: props.isOwn ? colour.accent : colour.sunk,
        color: props.isOwn ? colour.onAccent : colour.ink,
        // visible if the system chooses the colours
        outline: '1px solid transparent',
        lineHeight: 1.45,
        overflowWrap: 'anywhere',
        textWrap: 'wrap',
        whiteSpace: 'pre-wrap',
        '::selection': { background: colour.ink, color: colour.onInk },
      }}
    >
      {props.file ? <FileCard file={props.file} store={props.store} /> : <LinkedText text={props.text} />}
    </p>
    <p
      css={{
        marginTop: space.hair,
        color: props.isBad ? colour.bad : colour.soft,
        fontSize: '0.8125rem',
        lineHeight: 1.4,
        overflowWrap: 'anywhere',
        textAlign: props.isOwn ? 'right' : 'left',
      }}
    >
      <bdi>{props.name}</bdi>
      {props.note && <> · {props.note}</>}
    </p>
    {props.children}
  </li>
)
