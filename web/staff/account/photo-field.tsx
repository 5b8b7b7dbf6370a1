import type { ChangeEvent } from 'react'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/form/field.tsx'
import { colour, radius, space, type } from '../../ui/theme.ts'

const PHOTO_PX = 144
const QUALITY = 0.8

/** The picture as a JPEG, which has no transparency: on white. */
const asJpeg = (canvas: HTMLCanvasElement): string => {
  const context = canvas.getContext('2d')
  if (context) {
    context.globalCompositeOperation = 'destination-over'
    context.fillStyle = '#fff'
    context.fillRect(0, 0, PHOTO_PX, PHOTO_PX)
  }
  return canvas.toDataURL('image/jpeg', QUALITY)
}

/**
 * The middle of a picture, small, as a data URL. A browser that cannot write WebP would return a PNG, which is too
 * large.
 */
const shrink = async (file: File): Promise<string> => {
  const picture = await createImageBitmap(file)
  const side = Math.min(picture.width, picture.height)
  const canvas = Object.assign(document.createElement('canvas'), { width: PHOTO_PX, height: PHOTO_PX })
  const [left, top] = [(picture.width - side) / 2, (picture.height - side) / 2]
  canvas.getContext('2d')?.drawImage(picture, left, top, side, side, 0, 0, PHOTO_PX, PHOTO_PX)
  const photo = canvas.toDataURL('image/webp', QUALITY)
  return photo.startsWith('data:image/webp') ? photo : asJpeg(canvas)
}

/**
 * A small round picture of a person: chosen from a file, reduced in the browser. `onRefused` gets the reason if a file
 * is not a picture; `error` is the form's own error.
 */
export const PhotoField = (props: {
  id: string
  photo: string | null
  error: string | undefined
  onPhoto: (photo: string | null) => void
  onRefused: (reason: string) => void
}) => {
  const { id, photo, error, onPhoto, onRefused } = props
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    if (!file) return
    await shrink(file).then(onPhoto, () => onRefused('Your browser can’t read this file as a picture'))
    target.value = ''
  }
  return (
    <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space.snug }}>
      {photo && <img src={photo} alt="" width={48} height={48} css={{ borderRadius: radius.round }} />}
      <label htmlFor={id} css={{ fontSize: type.small, fontWeight: 600 }}>
        Photo
      </label>
      <input
        id={id}
        type="file"
        accept="image/*"
        onChange={choose}
        css={{
          maxWidth: '100%',
          color: colour.soft,
          fontSize: type.small,
          '@media (pointer: coarse)': { minHeight: '2.75rem', '::file-selector-button': { minHeight: '2.75rem' } },
        }}
      />
      {photo && (
        <Button look="quiet" onClick={() => onPhoto(null)}>
          Remove photo
        </Button>
      )}
      {error && <FieldError id={id} error={error} />}
    </div>
  )
}
