import { useRef } from 'react'
import { FILE_TYPES } from '../../../events/chat/file.ts'
import { Button } from '../../ui/button.tsx'
import { PaperclipIcon } from '../../ui/icons.tsx'
import { space } from '../../ui/theme.ts'
import { tipAbove } from '../../ui/tooltip.ts'

/** The element that gets the focus once a file is removed from the tray. */
export const fileButtonId = (formId: string) => `${formId}-file`

export const FileButton = (props: { formId: string; disabled: boolean; onFiles: (files: File[]) => void }) => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        id={fileButtonId(props.formId)}
        look="outline"
        aria-label="Attach a file"
        aria-description="An image or a PDF, up to 5 MB"
        data-tip="Attach a file"
        disabled={props.disabled}
        onClick={() => input.current?.click()}
        css={{ ...tipAbove, paddingInline: space.snug }}
      >
        <PaperclipIcon />
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={FILE_TYPES.join()}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])]
          event.target.value = ''
          props.onFiles(files)
        }}
      />
    </>
  )
}
