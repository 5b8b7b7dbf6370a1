import { useEffect, useState } from 'react'
import { type ChatFile, sizeInWords } from '../../../events/chat/file.ts'
import { HttpError } from '../../client/http.ts'
import { DocumentIcon, ImageIcon } from '../../ui/icons.tsx'
import { radius, space } from '../../ui/theme.ts'
import { type FileStore, fetchFile } from '../messaging/file-transfer.ts'

/** A browser may still read the file it saves long after the click. */
const REVOKE_AFTER_MS = 60_000

const isImage = ({ mediaType }: ChatFile) => mediaType.startsWith('image/')

/** The address of an image within the page, once it is loaded. One that cannot be loaded stays a row with its name. */
const useImage = ({ sessionId, resumeToken }: FileStore, file: ChatFile) => {
  const [address, setAddress] = useState<string>()
  const wanted = isImage(file) ? file.id : undefined
  useEffect(() => {
    if (wanted === undefined) return
    let made: string | undefined
    let isGone = false
    const show = (content: Blob) => {
      if (isGone) return
      made = URL.createObjectURL(content)
      setAddress(made)
    }
    fetchFile({ sessionId, resumeToken }, wanted).then(show, () => {})
    return () => {
      isGone = true
      if (made) URL.revokeObjectURL(made)
    }
  }, [sessionId, resumeToken, wanted])
  return address
}

/** Saves a file under its name, like a link to it: the token that opens it is in no address. */
const save = async (store: FileStore, { id, name }: ChatFile) => {
  const address = URL.createObjectURL(await fetchFile(store, id))
  Object.assign(document.createElement('a'), { href: address, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(address), REVOKE_AFTER_MS)
}

const failureOf = (error: unknown) =>
  error instanceof HttpError && error.status === 404
    ? 'This file is no longer stored.'
    : 'It could not be fetched. Please try again.'

/** The file of a message: an image as a picture, any file by its name and size; saved by a touch. */
export const FileCard = ({ file, store }: { file: ChatFile; store: FileStore }) => {
  const image = useImage(store, file)
  const [state, setState] = useState('')
  const saveIt = async () => {
    setState('Fetching it…')
    try {
      await save(store, file)
      setState('')
    } catch (error) {
      setState(failureOf(error))
    }
  }
  return (
    <>
      {image && (
        <img
          src={image}
          alt={file.name}
          css={{
            display: 'block',
            minWidth: '4rem',
            maxWidth: '100%',
            maxHeight: '12rem',
            marginBottom: space.tight,
            borderRadius: radius.control,
            background: '#fff',
            objectFit: 'contain',
          }}
        />
      )}
      <button
        type="button"
        onClick={saveIt}
        css={{
          display: 'grid',
          gridTemplateColumns: 'auto minmax(0, 1fr)',
          alignItems: 'center',
          gap: space.tight,
          minHeight: '2.75rem',
          padding: 0,
          border: 0,
          background: 'none',
          color: 'inherit',
          lineHeight: 1.3,
          textAlign: 'left',
          ':hover bdi': { textDecoration: 'underline', textUnderlineOffset: '0.2em' },
          ':focus-visible': { outlineColor: 'currentColor' },
        }}
      >
        {isImage(file) ? <ImageIcon /> : <DocumentIcon />}
        <span css={{ display: 'block', overflowWrap: 'anywhere' }}>
          <bdi css={{ fontWeight: 600 }}>{file.name}</bdi>
          <span css={{ display: 'block', fontSize: '0.8125rem' }}>Save · {sizeInWords(file.size)}</span>
        </span>
      </button>
      <span role="status" css={{ display: 'block', fontSize: '0.8125rem', ':empty': { display: 'none' } }}>
        {state}
      </span>
    </>
  )
}
